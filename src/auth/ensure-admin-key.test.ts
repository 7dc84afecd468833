import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { createTestClock } from '../../test/clock.ts';
import { readRows } from '../../test/database.ts';
import { createServiceDatabase } from '../../test/service-database.ts';
import { compose } from '../compose/compose.ts';
import { readConfig } from '../config.ts';
import { listen } from '../http/server.ts';
import { SCOPES } from '../kernel/contract.ts';
import { createLog } from '../ops/log.ts';

const clock = createTestClock();

let database: Awaited<ReturnType<typeof createServiceDatabase>> | undefined;
let stop: () => Promise<void>;
beforeEach(() => {
  stop = async () => undefined;
});
afterEach(async () => {
  await stop();
  await database?.remove();
  database = undefined;
});

const start = async (adminKey?: string, environment = 'production') => {
  await stop();
  database ??= await createServiceDatabase(environment);
  const { place } = database;
  const config = readConfig({
    DATABASE_URL: database.url,
    PETSTORE_ENVIRONMENT: environment,
    PETSTORE_ADMIN_KEY: adminKey,
  });
  const log = createLog('silent', async () => undefined, clock);
  const service = await compose(config, { clock, randomBytes, log });
  const server = listen(service.app, { host: '127.0.0.1', port: 0 });
  stop = async () => {
    stop = async () => undefined;
    await server.stop(0);
    await service.close();
  };
  return {
    made: service.adminKey,
    admins: async () =>
      (await readRows(place, 'SELECT * FROM keys WHERE is_admin = 1')).map(({ changed_in, ...admin }) => admin),
    events: () => readRows(place, `SELECT type FROM events WHERE type LIKE 'key.%' ORDER BY sequence`),
    lastEvent: async () => (await readRows(place, 'SELECT * FROM events ORDER BY sequence DESC LIMIT 1'))[0],
    ask: (key: string, method = 'GET', body?: object, path = body ? 'keys' : 'pets') =>
      fetch(`http://127.0.0.1:${server.port}/v1/${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
  };
};

const FIRST = 'first-admin-key-of-the-test';
const SECOND = 'second-admin-key-of-the-test';

describe('the first start', () => {
  test.each([
    ['production', 'ps_live_'],
    ['staging', 'ps_test_'],
  ])('in %s creates an admin key that works', async (environment, prefix) => {
    const { made = '', ask, admins } = await start(undefined, environment);
    expect(made).toStartWith(prefix);
    expect((await ask(made)).status).toBe(200);
    expect(await admins()).toHaveLength(1);
    expect((await admins())[0]).toMatchObject({ prefix, last4: made.slice(-4), store_id: 1, plan: 'enterprise' });
  });

  test('gives the admin key every scope', async () => {
    const { admins } = await start();
    expect((await admins())[0].scopes.split(' ')).toEqual([...SCOPES]);
  });

  test('uses the configured key and creates none', async () => {
    const { made, ask, admins, events } = await start(FIRST);
    expect(made).toBeUndefined();
    expect((await ask(FIRST)).status).toBe(200);
    expect(await admins()).toHaveLength(1);
    expect(await events()).toEqual([{ type: 'key.created' }]);
  });

  test.each([
    ['20 characters', '0123456789'.padEnd(20, '!')],
    ['200 characters', '0123456789'.padEnd(200, '~')],
    ['punctuation', 'a,b;c=d"e\\f(g)h:i@j/k?'],
  ])('accepts a configured key of %s', async (_, key) => {
    const { ask } = await start(key);
    expect((await ask(key)).status).toBe(200);
  });
});

describe('the admin key', () => {
  test('has the custom limits of 100,000,000 per minute and 10,000,000,000 per day', async () => {
    const { ask } = await start(FIRST);
    const { headers } = await ask(FIRST);
    expect(headers.get('x-ratelimit-limit')).toBe('100000000');
    expect(headers.get('x-ratelimit-remaining')).toBe('99999999');
    expect(headers.get('ratelimit-policy')).toBe('"minute";q=100000000;w=60, "day";q=10000000000;w=86400');
  });
});

describe('a later start', () => {
  test('without a configured key keeps the admin key and shows none', async () => {
    const { made = '' } = await start();
    const again = await start();
    expect(again.made).toBeUndefined();
    expect((await again.ask(made)).status).toBe(200);
    expect(await again.events()).toEqual([{ type: 'key.created' }]);
  });

  test('without a configured key keeps the one that was configured before', async () => {
    await start(FIRST);
    const again = await start();
    expect(again.made).toBeUndefined();
    expect((await again.ask(FIRST)).status).toBe(200);
  });

  test('with the same configured key changes nothing', async () => {
    const before = await (await start(FIRST)).admins();
    const again = await start(FIRST);
    expect(await again.admins()).toEqual(before);
    expect(await again.events()).toEqual([{ type: 'key.created' }]);
  });

  test('with another configured key replaces the admin key, keeps its id, and the old key stops working', async () => {
    const [before] = await (await start(FIRST)).admins();
    const again = await start(SECOND);
    expect((await again.ask(SECOND)).status).toBe(200);
    expect((await again.ask(FIRST)).status).toBe(401);
    expect(await again.admins()).toEqual([{ ...before, last4: SECOND.slice(-4) }]);
    expect(await again.events()).toEqual([{ type: 'key.created' }, { type: 'key.rotated' }]);
  });

  test('with another configured key writes an event by the service itself, without a secret', async () => {
    const { made = '', ...first } = await start();
    const [{ id }] = await first.admins();
    const { actor_key_id, address, request_id, data } = await (await start(SECOND)).lastEvent();
    expect([actor_key_id, address, request_id]).toEqual([null, null, null]);
    expect(JSON.parse(data)).toMatchObject({
      object: { id, prefix: '', last4: SECOND.slice(-4) },
      previous: { prefix: 'ps_live_', last4: made.slice(-4) },
    });
    expect(data).not.toContain(SECOND);
  });

  test('accepts a configured key that was replaced before', async () => {
    await start(FIRST);
    await start(SECOND);
    const again = await start(FIRST);
    expect((await again.ask(FIRST)).status).toBe(200);
    expect((await again.ask(SECOND)).status).toBe(401);
  });

  test('with a configured key replaces the one from the first start', async () => {
    const { made = '' } = await start();
    const again = await start(SECOND);
    expect((await again.ask(made)).status).toBe(401);
    expect((await again.ask(SECOND)).status).toBe(200);
    expect((await again.admins())[0].prefix).toBe('');
  });

  test('keeps the windows of a replaced admin key', async () => {
    await (await start(FIRST)).ask(FIRST);
    const { headers } = await (await start(SECOND)).ask(SECOND);
    expect(headers.get('x-ratelimit-remaining')).toBe('99999998');
  });

  test('leaves other keys unchanged', async () => {
    const issued = await (await start(FIRST)).ask(FIRST, 'POST', { name: 'x', plan: 'free' });
    const { key } = (await issued.json()) as { key: string };
    expect((await (await start(SECOND)).ask(key)).status).toBe(200);
  });

  test('refuses a configured key that is already the secret of another key', async () => {
    const issued = await (await start(FIRST)).ask(FIRST, 'POST', { name: 'x', plan: 'free' });
    const { key, id } = (await issued.json()) as { key: string; id: string };
    await expect(start(key)).rejects.toThrow(id);
  });

  test.each([
    ['was replaced by a rotation', 'POST', '/rotate'],
    ['is the secret of a revoked key', 'DELETE', ''],
  ])('refuses a configured key that %s: it still belongs to that key', async (_, method, path) => {
    const { ask } = await start(FIRST);
    const issued = await ask(FIRST, 'POST', { name: 'x', plan: 'free' });
    const { key, id } = (await issued.json()) as { key: string; id: string };
    expect((await ask(FIRST, method, undefined, `keys/${id}${path}`)).ok).toBeTrue();
    await expect(start(key)).rejects.toThrow(id);
  });
});
