import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';
import { createMetrics } from '../../kernel/metrics.ts';
import { createHealthSeries, type HealthSeries } from './series.ts';

const START = Date.parse('2026-11-20T12:00:00Z');

describe('the health series', () => {
  let now: number;
  let series: HealthSeries;
  let metrics: ReturnType<typeof createMetrics>;
  let requests: ReturnType<typeof metrics.counter>;
  beforeEach(() => {
    now = START;
    metrics = createMetrics();
    requests = metrics.counter('petstore_http_requests_total', 'Requests.');
    series = createHealthSeries({ metrics, clock: () => now, elapsed: () => now - START });
  });
  const sample = async (times = 1) => {
    for (let count = 0; count < times; count += 1) {
      now += 10_000;
      await series.job.run();
    }
  };
  const all = () => series.since(Number.NEGATIVE_INFINITY);

  test('are empty before the first sample', () => {
    const { times, series: values, errorsPerSecond } = all();
    expect([times, errorsPerSecond]).toEqual([[], {}]);
    expect(Object.keys(values)).toContain('requestsPerSecond');
    expect(Object.values(values).flat()).toEqual([]);
  });

  test('have rates for each class of status codes from the second sample on', async () => {
    await sample();
    requests({ status: '200' }).add(30);
    requests({ status: '404' }).add(20);
    requests({ status: '429' }).add(10);
    requests({ status: '503' }).add(5);
    await sample(2);
    expect(all().times).toEqual([10, 20, 30].map((seconds) => new Date(START + seconds * 1000).toISOString()));
    expect(all().series).toMatchObject({
      requestsPerSecond: [null, 6.5, 0],
      clientErrorsPerSecond: [null, 2, 0],
      rateLimitedPerSecond: [null, 1, 0],
      serverErrorsPerSecond: [null, 0.5, 0],
      memoryBytes: [null, null, null],
    });
  });

  test('have four significant digits', async () => {
    await sample();
    requests({ status: '200' }).add(123_456);
    await sample();
    expect(all().series.requestsPerSecond).toEqual([null, 12_350]);
  });

  test('name the error codes that occurred, and no others', async () => {
    const errors = metrics.counter('petstore_http_errors_total', 'Errors.');
    errors({ code: 'not_found', status: '404' }).add();
    errors({ code: 'unavailable', status: '503' }).add(0);
    await sample();
    errors({ code: 'not_found', status: '404' }).add(5);
    await sample();
    expect(all().errorsPerSecond).toEqual({ not_found: [null, 0.5] });
  });

  test('keep one hour of samples, in order', async () => {
    await sample(361);
    const { times } = all();
    expect(times).toHaveLength(360);
    expect(times[0]).toBe(new Date(START + 20_000).toISOString());
    expect(times.at(-1)).toBe(new Date(START + 3_610_000).toISOString());
    expect(times).toEqual(times.toSorted());
    for (const values of Object.values(all().series)) expect(values).toHaveLength(360);
  });

  test('can be limited to samples after a time', async () => {
    await sample(5);
    const { times, series: values } = series.since(START + 30_000);
    expect(times).toEqual([START + 40_000, START + 50_000].map((at) => new Date(at).toISOString()));
    expect(values.requestsPerSecond).toHaveLength(2);
  });

  test('continue if a metric cannot be read', async () => {
    metrics.read('petstore_event_lag_seconds', 'Lag.', () => {
      throw new Error('the database is away');
    });
    await sample(2);
    expect(all().series.eventLagMs).toEqual([null, null]);
  });
});

describe('getHealthSeries', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  test('shows what the service measures, on both engines', async () => {
    await service.runJobs();
    for (const _ of [1, 2, 3]) await service.get('/v1/pets/999');
    service.clock.advance(10_000);
    await service.runJobs();
    const { status, body } = await service.get('/v1/health/series');
    expect(status).toBe(200);
    expect(body.everySeconds).toBe(10);
    expect(body.times).toHaveLength(2);
    expect(body.startedAt).toBe(new Date(service.clock() - 10_000).toISOString());
    const last = Object.fromEntries(
      Object.entries<(number | null)[]>(body.series).map(([name, values]) => [name, values.at(-1)]),
    );
    expect(last).toMatchObject({ requestsPerSecond: 0.3, clientErrorsPerSecond: 0.3, serverErrorsPerSecond: 0 });
    expect(last).toMatchObject({ writesWaiting: expect.any(Number), eventStreams: 0, eventLagMs: expect.any(Number) });
    for (const name of ['durationP50Ms', 'durationP99Ms', 'databaseReadMs', 'memoryBytes', 'processorShare']) {
      expect([name, last[name]]).toEqual([name, expect.any(Number)]);
      expect(last[name]).toBeGreaterThan(0);
    }
    expect(body.errorsPerSecond).toEqual({ not_found: [null, 0.3] });
    const since = await service.get(`/v1/health/series?since=${body.times[0]}`);
    expect(since.body.times).toEqual([body.times[1]]);
  });

  test('requires ops:read', async () => {
    expectError(await service.get('/v1/health/series', { key: await service.issueKey() }), 'insufficient_scope', 403);
  });

  test('refuses an invalid time', async () => {
    expectError(await service.get('/v1/health/series?since=now'), 'invalid_parameter', 400);
  });
});
