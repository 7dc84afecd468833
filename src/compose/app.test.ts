import { afterEach, beforeEach, expect, test } from 'bun:test';
import { openTestDatabase } from '../../test/database.ts';
import { readConfig } from '../config.ts';
import type { App } from '../http/app.ts';
import { createLocalKeyChanges } from '../kernel/key-changes.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import { ensureAdminKey } from '../keys/ensure-admin-key.ts';
import { createMemoryLimiter } from '../limits/limiter.memory.ts';
import { createLog } from '../process/log.ts';
import { composeApp } from './app.ts';
import { composeUsageCounter } from './usage.ts';

let opened: ReturnType<typeof openTestDatabase>;
let app: App;
let [canWrite, isDraining, waiting, laterMs] = [true, false, 0, 0];
beforeEach(() => {
  [canWrite, isDraining, waiting, laterMs] = [true, false, 0, 0];
  opened = openTestDatabase();
  const { database, clock, randomText } = opened;
  app = composeApp({
    config: readConfig({}),
    database: { ...database, canWrite: () => canWrite, waiting: () => waiting },
    clock,
    elapsed: () => performance.now() + laterMs,
    keyChanges: createLocalKeyChanges(),
    log: createLog('silent', async () => undefined, clock),
    randomText,
    operations: [],
    limiter: createMemoryLimiter({ clock, tallies: new Map(), saveWindows: async () => {}, saveBan: async () => {} }),
    counter: composeUsageCounter({ database, clock }),
    isDraining: () => isDraining,
    onStop: () => undefined,
  });
});
afterEach(() => opened.close());

const ask = async (path: string, headers = {}) => {
  const handle = app.routes.get(path) ?? app.fallback;
  return (await handle(new Request(`http://localhost${path}`, { headers }), {}, '127.0.0.1')).status;
};
const makeAdminKey = () =>
  opened.database.write(SYSTEM_CALL, (repositories) =>
    ensureAdminKey(repositories, {
      configured: undefined,
      environment: 'production',
      randomText: opened.randomText,
    }),
  );

test('the service is ready while it can write, and until it is about to stop', async () => {
  expect(await ask('/readyz')).toBe(503);
  await makeAdminKey();
  expect(await ask('/readyz')).toBe(200);
  canWrite = false;
  expect(await ask('/readyz')).toBe(503);
  [canWrite, isDraining] = [true, true];
  expect(await ask('/readyz')).toBe(503);
});

test('the service is not ready while it refuses nearly everyone with a valid key, and alive all the while', async () => {
  const { made } = await makeAdminKey();
  const send = () => ask('/v1/nothing', { Authorization: `Bearer ${made}` });
  expect(await send()).toBe(404);
  laterMs = 5000;
  expect(await ask('/readyz')).toBe(200);

  waiting = 4000;
  for (let sent = 0; sent < 100; sent += 1) expect(await send()).toBe(503);
  expect(await ask('/readyz')).toBe(200);
  laterMs = 10_000;
  expect([await ask('/readyz'), await ask('/healthz')]).toEqual([503, 200]);

  waiting = 0;
  expect(await send()).toBe(404);
  laterMs = 15_000;
  expect(await ask('/readyz')).toBe(200);
});
