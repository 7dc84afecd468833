import { afterEach, beforeEach, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { openTestDatabase } from '../../test/database.ts';
import { ensureAdminKey } from '../auth/ensure-admin-key.ts';
import { readConfig } from '../config.ts';
import type { App } from '../http/app.ts';
import { createMetrics } from '../kernel/metrics.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import { createPageLimiter } from '../limits/open-limiter.ts';
import { createLog } from '../ops/log.ts';
import { createHealthSeries } from '../resources/health/series.ts';
import { createLocalKeyChanges } from '../resources/keys/changes.ts';
import { createUsageCounter } from '../resources/usage/counter.ts';
import { createLocalArrivals } from '../streaming/arrivals.ts';
import { createHub } from '../streaming/hub.ts';
import { createStreamQueue } from '../streaming/queue.ts';
import { composeApp } from './app.ts';

let opened: ReturnType<typeof openTestDatabase>;
let app: App;
let [canWrite, waiting, waitedMs] = [true, 0, 0];
let drain: { hasBegun: boolean };
/** If this is set, the service's clock is stopped at this time, in milliseconds. */
let standsAt: number | undefined;
let stop: () => void;
beforeEach(() => {
  [canWrite, waiting, waitedMs, standsAt] = [true, 0, 0, undefined];
  drain = { hasBegun: false };
  opened = openTestDatabase();
  const { database, clock, randomText } = opened;
  app = composeApp({
    config: readConfig({}),
    healthSeries: createHealthSeries({ metrics: createMetrics(), clock, elapsed: clock }),
    backups: { start: () => expect.unreachable(), list: () => [] },
    facts: {} as Parameters<typeof composeApp>[0]['facts'],
    database: {
      ...database,
      canWrite: () => canWrite,
      backlog: {
        get pending() {
          return waiting;
        },
      },
      waitedMs: () => waitedMs,
    },
    clock,
    elapsed: () => standsAt ?? performance.now(),
    keyChanges: createLocalKeyChanges(),
    log: createLog('silent', async () => undefined, clock),
    metrics: createMetrics(),
    randomText,
    randomBytes,
    spans: undefined,
    arrivals: createLocalArrivals(),
    resets: { finish: async () => undefined },
    streamQueue: createStreamQueue({ log: { warn: () => undefined } }),
    hub: createHub(1),
    stopwatch: clock,
    limiter: { ...createPageLimiter(clock), readBan: async () => undefined },
    pageLimiter: createPageLimiter(clock),
    counter: createUsageCounter({ clock, save: async () => undefined }),
    drain,
    onStop: (listener) => {
      stop = listener;
      return () => undefined;
    },
  });
});
afterEach(() => opened.close());

const send = async (path: string, headers = {}, method = 'GET') => {
  const handle = app.routes.get(path) ?? app.fallback;
  const request = new Request(`http://localhost${path}`, { method, headers });
  return handle({ request, params: {}, socket: '127.0.0.1' });
};
const ask = async (path: string, headers = {}, method = 'GET') => (await send(path, headers, method)).status;
const makeAdminKey = () =>
  opened.database.write(SYSTEM_CALL, (repositories) =>
    ensureAdminKey(repositories, {
      configured: undefined,
      environment: 'production',
      randomText: opened.randomText,
    }),
  );

test('the service is ready while it can write, until it drains', async () => {
  expect(await ask('/readyz')).toBe(503);
  await makeAdminKey();
  expect(await ask('/readyz')).toBe(200);
  canWrite = false;
  expect(await ask('/readyz')).toBe(503);
  canWrite = true;
  drain.hasBegun = true;
  expect(await ask('/readyz')).toBe(503);
});

test('the service is alive but not ready while it refuses nearly all callers with a valid key', async () => {
  // The time is rounded up to an integer, because adding 5000 to a fraction could cause a rounding error.
  standsAt = Math.ceil(performance.now());
  const { made } = await makeAdminKey();
  const call = () => ask('/v1/nothing', { Authorization: `Bearer ${made}` }, 'POST');
  expect(await call()).toBe(404);
  standsAt += 5000;
  expect(await ask('/readyz')).toBe(200);

  waiting = 4000;
  for (let sent = 0; sent < 100; sent += 1) expect(await call()).toBe(503);
  expect(await ask('/readyz')).toBe(200);
  standsAt += 5000;
  expect([await ask('/readyz'), await ask('/healthz')]).toEqual([503, 200]);

  waiting = 0;
  expect(await call()).toBe(404);
  standsAt += 5000;
  expect(await ask('/readyz')).toBe(200);
});

test('callers who continue after a refusal must wait or lose their connection, until the service drains', async () => {
  standsAt = performance.now();
  const statuses = new Set<number>();
  for (let sent = 0; sent < 600 + 2000; sent += 1) statuses.add(await ask('/v1/nothing'));
  expect(statuses).toEqual(new Set([401, 429]));

  const more = Array.from({ length: 5001 }, () => send('/v1/nothing'));
  const first = await Promise.race(more);
  expect([first.status, first.headers.get('connection')]).toEqual([429, 'close']);
  stop();
  const answers = await Promise.all(more);
  expect(answers.filter(({ status }) => status !== 429)).toEqual([]);
  expect(answers.filter(({ headers }) => headers.get('connection') === 'close')).toHaveLength(1);
});

test('under overload, a caller with a large body is refused immediately and disconnected, while others wait', async () => {
  standsAt = performance.now();
  for (let sent = 0; sent < 600 + 2000; sent += 1) await ask('/v1/nothing');
  const small = send('/v1/nothing', { 'Content-Length': '16384' }, 'POST');
  for (const headers of [{ 'Content-Length': '16385' }, { 'Transfer-Encoding': 'chunked' }]) {
    const answer = await send('/v1/nothing', headers, 'POST');
    expect([answer.status, answer.headers.get('connection')]).toEqual([429, 'close']);
  }
  stop();
  expect((await small).headers.get('connection')).toBeNull();
});

test('a caller without a known key who sends a large body is refused while others wait to be served', async () => {
  const { made } = await makeAdminKey();
  const known = { Authorization: `Bearer ${made}` };
  expect(await ask('/v1/nothing', known)).toBe(404);
  [waiting, waitedMs] = [256, 21];
  const large = { 'Content-Length': '16385' };
  expect(await ask('/v1/nothing', large, 'POST')).toBe(503);
  const served = [ask('/v1/nothing', {}, 'POST'), ask('/v1/nothing', { ...known, ...large }, 'POST')];
  waiting = 0;
  expect(await Promise.all(served)).toEqual([401, 404]);
});
