import type { HealthSeries } from '../../client/src/index.ts';

const MINUTE_MS = 60_000;
export const HOUR_MINUTES = 60;

export type Name = keyof HealthSeries['series'];
export type Values = readonly (number | null)[];

const mapValues = (series: Record<string, Values>, change: (values: Values) => Values) =>
  Object.fromEntries(Object.entries(series).map(([name, values]) => [name, change(values)]));

/** Leaves out the samples that are older than this before the last sample. */
export const lastMinutes = (health: HealthSeries, minutes: number): HealthSeries => {
  const oldest = Date.parse(health.times.at(-1) ?? '') - minutes * MINUTE_MS;
  const from = Math.max(
    0,
    health.times.findIndex((time) => Date.parse(time) >= oldest),
  );
  const cut = (values: Values): Values => values.slice(from);
  return {
    ...health,
    times: health.times.slice(from),
    series: mapValues({ ...health.series }, cut) as unknown as HealthSeries['series'],
    errorsPerSecond: mapValues(health.errorsPerSecond, cut) as HealthSeries['errorsPerSecond'],
  };
};

/** If the start times differ, the service has been restarted, and `next` contains all samples since the restart. */
export const addSamples = (kept: HealthSeries | undefined, next: HealthSeries): HealthSeries => {
  if (!kept || kept.startedAt !== next.startedAt) return next;
  const join = (before: Values | undefined, after: Values | undefined): (number | null)[] => [
    ...(before ?? kept.times.map(() => null)),
    ...(after ?? next.times.map(() => null)),
  ];
  const joinAll = (before: Record<string, Values>, after: Record<string, Values>) =>
    Object.fromEntries(
      [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => [
        name,
        join(before[name], after[name]),
      ]),
    );
  const joined = {
    ...next,
    times: [...kept.times, ...next.times],
    series: joinAll({ ...kept.series }, { ...next.series }) as unknown as HealthSeries['series'],
    errorsPerSecond: joinAll(kept.errorsPerSecond, next.errorsPerSecond),
  };
  return lastMinutes(joined, HOUR_MINUTES);
};

const MINUTE_SAMPLES = 6;

export const latest = (values: Values): number | undefined => values.findLast((value) => value !== null) ?? undefined;

/** Returns the mean over the last minute, so that one slow request does not cause a warning. */
export const recent = (values: Values): number | undefined => {
  const known = values.slice(-MINUTE_SAMPLES).filter((value) => value !== null);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
};

export const shareOf = (part: Values, whole: Values): (number | null)[] =>
  part.map((value, index) => {
    const all = whole[index];
    return value === null || all === null || all === undefined ? null : all === 0 ? 0 : value / all;
  });
