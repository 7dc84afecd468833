import type { Usage } from '../../client/src/index.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;

const lastHours = (now: number): number[] => {
  const last = Math.floor(now / HOUR_MS);
  return Array.from({ length: HOURS }, (_, index) => (last - HOURS + 1 + index) * HOUR_MS);
};

/** `begins` contains the first digits of the statuses to count; for example, `45` means all 4xx and 5xx statuses. */
const countIn = (usages: readonly Usage[], hour: number, begins: string): number =>
  usages
    .flatMap(({ hours }) => hours.filter((entry) => Date.parse(entry.hour) === hour))
    .flatMap(({ byStatus }) => Object.entries(byStatus))
    .reduce((sum, [status, count]) => (begins.includes(status[0] ?? '') ? sum + count : sum), 0);

export const requestsByHour = (usages: readonly Usage[], now: number): { all: number; failed: number }[] =>
  lastHours(now).map((hour) => ({ all: countIn(usages, hour, '12345'), failed: countIn(usages, hour, '5') }));
