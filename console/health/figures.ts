import type { Sample } from './metrics-text.ts';

/** `at` is in milliseconds. */
export type Snapshot = { at: number; samples: readonly Sample[] };

type Fits = (labels: Sample['labels']) => boolean;

const anything: Fits = () => true;

export const sumOf = ({ samples }: Snapshot, name: string, fits: Fits = anything): number | undefined => {
  const found = samples.filter((sample) => sample.name === name && fits(sample.labels));
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
};

/** If the counter has fallen, the service was restarted. */
export const rateOf = (before: Snapshot, now: Snapshot, name: string, fits?: Fits): number | null => {
  const [then = 0, present] = [sumOf(before, name, fits), sumOf(now, name, fits)];
  if (present === undefined || now.at <= before.at) return null;
  return Math.max(0, present >= then ? present - then : present) / ((now.at - before.at) / 1000);
};

const bucketsOf = (before: Snapshot, now: Snapshot, name: string, fits: Fits): [most: number, count: number][] => {
  const sums = new Map<number, number>();
  for (const [{ samples }, sign] of [
    [now, 1],
    [before, -1],
  ] as const) {
    for (const { name: of, labels, value } of samples) {
      if (of !== `${name}_bucket` || !fits(labels)) continue;
      const most = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le);
      sums.set(most, (sums.get(most) ?? 0) + sign * value);
    }
  }
  return [...sums].sort(([one], [other]) => one - other);
};

export const quantileOf = (
  before: Snapshot,
  now: Snapshot,
  name: string,
  share: number,
  fits: Fits = anything,
): number | null => {
  const buckets = bucketsOf(before, now, name, fits);
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total <= 0) return null;
  const wanted = share * total;
  let [from, counted] = [0, 0];
  for (const [most, count] of buckets) {
    if (count >= wanted)
      return most === Number.POSITIVE_INFINITY
        ? from
        : from + ((most - from) * (wanted - counted)) / (count - counted || 1);
    [from, counted] = [most, count];
  }
  return from;
};
