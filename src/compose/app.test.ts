import { expect, test } from 'bun:test';
import { openTestDatabase } from '../../test/database.ts';
import { readConfig } from '../config.ts';
import { createLocalKeyChanges } from '../kernel/key-changes.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import { ensureAdminKey } from '../keys/ensure-admin-key.ts';
import { createLog } from '../process/log.ts';
import { composeApp } from './app.ts';
import { composePageLimiter } from './limiter.ts';
import { composeUsageCounter } from './usage.ts';

test('the service is ready while it can write, and until it is about to stop', async () => {
  const { database, clock, randomText, close } = openTestDatabase();
  let [canWrite, isDraining] = [true, false];
  const app = composeApp({
    config: readConfig({}),
    database: { ...database, canWrite: () => canWrite },
    clock,
    keyChanges: createLocalKeyChanges(),
    log: createLog('silent', async () => undefined, clock),
    randomText,
    operations: [],
    limiter: composePageLimiter({ clock }),
    pageLimiter: composePageLimiter({ clock }),
    counter: composeUsageCounter({ database, clock }),
    isDraining: () => isDraining,
  });
  const status = async () => {
    const answer = await app.routes.get('/readyz')?.(new Request('http://localhost/readyz'), {}, '127.0.0.1');
    return answer?.status;
  };
  expect(await status()).toBe(503);
  await database.write(SYSTEM_CALL, (repositories) =>
    ensureAdminKey(repositories, { configured: undefined, environment: 'production', randomText }),
  );
  expect(await status()).toBe(200);
  canWrite = false;
  expect(await status()).toBe(503);
  [canWrite, isDraining] = [true, true];
  expect(await status()).toBe(503);
  await close();
});
