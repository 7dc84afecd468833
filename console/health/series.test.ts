import { describe, expect, test } from 'bun:test';
import type { HealthSeries } from '../../client/src/index.ts';
import { countErrors } from './charts.ts';
import { addSamples, lastMinutes, latest, recent, shareOf } from './series.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const iso = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const health = (
  seconds: readonly number[],
  values: (number | null)[],
  errors: Record<string, (number | null)[]> = {},
  startedAt = iso(0),
) =>
  ({
    startedAt,
    everySeconds: 10,
    times: seconds.map(iso),
    series: { requestsPerSecond: values },
    errorsPerSecond: errors,
  }) as unknown as HealthSeries;

describe('the samples of the last hour', () => {
  test('are joined in order, with unknown values for codes that a response omits', () => {
    const joined = addSamples(
      health([10, 20], [1, 2], { not_found: [3, 0] }),
      health([30], [4], { invalid_request: [5] }),
    );
    expect(joined.times).toEqual([10, 20, 30].map(iso));
    expect(joined.series.requestsPerSecond).toEqual([1, 2, 4]);
    expect(joined.errorsPerSecond).toEqual({ not_found: [3, 0, null], invalid_request: [null, null, 5] });
  });

  test('are dropped an hour after they were taken', () => {
    const joined = addSamples(health([10, 20, 30], [1, 2, 3]), health([3620, 3630], [4, 5]));
    expect(joined.times).toEqual([30, 3620, 3630].map(iso));
    expect(joined.series.requestsPerSecond).toEqual([3, 4, 5]);
  });

  test('can be limited to the last minutes', () => {
    const cut = lastMinutes(health([10, 700, 1600], [1, 2, 3], { not_found: [4, 5, 6] }), 15);
    expect(cut.times).toEqual([700, 1600].map(iso));
    expect(cut.series.requestsPerSecond).toEqual([2, 3]);
    expect(cut.errorsPerSecond).toEqual({ not_found: [5, 6] });
    expect(lastMinutes(health([], []), 15).times).toEqual([]);
  });

  test('stay unchanged if nothing is new', () => {
    expect(addSamples(health([10, 20], [1, 2]), health([], [])).series.requestsPerSecond).toEqual([1, 2]);
    expect(addSamples(undefined, health([], [])).times).toEqual([]);
  });

  test('of a restarted service replace the earlier ones', () => {
    const other = health([50], [7], {}, iso(40));
    expect(addSamples(health([10], [1]), other)).toBe(other);
  });

  test('have a latest value, a mean of the last minute, and shares', () => {
    expect([latest([1, 2, null]), latest([null]), latest([])]).toEqual([2, undefined, undefined]);
    expect([recent([100, 1, 2, null, 3, 4, 5]), recent([null])]).toEqual([3, undefined]);
    expect(shareOf([1, 0, null, 2], [4, 0, 1, null])).toEqual([0.25, 0, null, null]);
  });

  test('count the errors of each code, most frequent first', () => {
    const errors = { rare: [0.1, null], never: [0, 0], often: [2, 1] };
    expect(countErrors(health([10, 20], [1, 1], errors))).toEqual([
      { code: 'often', count: 30 },
      { code: 'rare', count: 1 },
    ]);
  });
});
