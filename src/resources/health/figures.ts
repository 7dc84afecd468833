import type { Sample } from '../../kernel/metrics.ts';

/** `atMs` comes from a monotonic clock. */
export type Snapshot = { atMs: number; samples: readonly Sample[] };

export type Figure = { metric: string; read(before: Snapshot | undefined, now: Snapshot): number | null };

type Fits = (labels: Sample['labels']) => boolean;

const sum = (snapshot: Snapshot, name: string, fits: Fits = () => true): number | undefined => {
  let total: number | undefined;
  for (const { name: of, labels, value } of snapshot.samples) {
    if (of === name && fits(labels)) total = (total ?? 0) + value;
  }
  return total;
};

const scaled = (value: number | null, by: number): number | null => (value === null ? null : value * by);

export const gauge = (metric: string, by = 1): Figure => ({
  metric,
  read: (_, now) => scaled(sum(now, metric) ?? null, by),
});

/** A counter has no time series until it first counts something, so a missing series means 0. */
export const perSecond = (metric: string, fits?: Fits): Figure => ({
  metric,
  read(before, now) {
    if (!before || now.atMs <= before.atMs) return null;
    const increase = (sum(now, metric, fits) ?? 0) - (sum(before, metric, fits) ?? 0);
    return increase / ((now.atMs - before.atMs) / 1000);
  },
});

/** The returned counts are cumulative: each count includes the observations in all lower buckets. */
const bucketsBetween = (before: Snapshot, now: Snapshot, metric: string): [most: number, count: number][] => {
  const counts = new Map<number, number>();
  for (const { samples, sign } of [
    { ...now, sign: 1 },
    { ...before, sign: -1 },
  ]) {
    for (const { name, labels, value } of samples) {
      if (name !== `${metric}_bucket`) continue;
      const most = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le);
      counts.set(most, (counts.get(most) ?? 0) + sign * value);
    }
  }
  return [...counts].sort(([one], [other]) => one - other);
};

/** Interpolates within a bucket, as Prometheus does. A value above the last finite bound counts as that bound. */
export const quantile = (metric: string, share: number, by = 1): Figure => ({
  metric,
  read(before, now) {
    const buckets = before ? bucketsBetween(before, now, metric) : [];
    const wanted = share * (buckets.at(-1)?.[1] ?? 0);
    if (wanted <= 0) return null;
    let [from, counted] = [0, 0];
    for (const [most, count] of buckets) {
      if (count >= wanted && most < Number.POSITIVE_INFINITY)
        return (from + ((most - from) * (wanted - counted)) / (count - counted)) * by;
      if (most < Number.POSITIVE_INFINITY) [from, counted] = [most, count];
    }
    return from * by;
  },
});
