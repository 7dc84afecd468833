import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openTestPostgres, type TestDatabase } from '../../test/database.ts';
import { POSTGRES_SERVER } from '../../test/postgres-database.ts';
import { query } from '../../test/servers/databases.ts';
import { insertWebhookKey, WEBHOOK_KEY } from '../../test/webhook-key.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import type { Repositories } from './repositories.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const WEBHOOK = {
  id: 'wh_one',
  url: 'https://example.org/',
  events: ['pet.created'] as const,
  enabled: true,
  disabledReason: null,
  createdAt: NOW,
  keyId: WEBHOOK_KEY.id,
  isOperators: false,
};

const LOCKS: [string, (repositories: Repositories) => Promise<unknown>, string][] = [
  ['pets.lock', ({ pets }) => pets.lock(1n), 'pets WHERE id = 1'],
  ['orders.lock', ({ orders }) => orders.lock(1n), 'orders WHERE id = 1'],
  ['categories.lock', ({ categories }) => categories.lock(1n), 'categories WHERE store_id = 1 AND id = 1'],
  ['keys.lock', ({ keys }) => keys.lock(WEBHOOK_KEY.id), `keys WHERE id = '${WEBHOOK_KEY.id}'`],
  ['keys.lockAdmin', ({ keys }) => keys.lockAdmin(), 'keys WHERE is_admin = 1'],
  ['webhooks.lock', ({ webhooks }) => webhooks.lock('wh_one'), `webhooks WHERE id = 'wh_one'`],
  ['webhooks.clear', ({ webhooks }) => webhooks.clear('wh_one', 9), `webhooks WHERE id = 'wh_one'`],
  ['webhooks.settle', ({ webhooks }) => webhooks.settle(), 'stores WHERE id = 1'],
  ['webhooks.lockCount', ({ webhooks }) => webhooks.lockCount(false), 'stores WHERE id = 1'],
  [
    'webhooks.update',
    ({ webhooks }) => webhooks.update({ ...WEBHOOK, events: [...WEBHOOK.events] }),
    'stores WHERE id = 1',
  ],
  ['stores.isResetting', ({ stores }) => stores.isResetting(1n), 'stores WHERE id = 1'],
];

describe.skipIf(!POSTGRES_SERVER)('a row that a transaction depends on', () => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await openTestPostgres();
    await write(async ({ stores, pets, orders, webhooks, ...repositories }) => {
      await stores.open(1n);
      await stores.open(2n);
      await insertWebhookKey(repositories);
      await repositories.keys.insert({ ...WEBHOOK_KEY, id: 'key_admin', admin: true }, new Uint8Array(32).fill(1));
      const { id: petId } = await pets.insert({ name: 'Rex', categoryId: 1n, status: 'available' });
      const times = { placedAt: NOW, updatedAt: NOW, expiresAt: null };
      await orders.insert({ petId, status: 'approved', placedByKeyId: 'key_one', ...times });
      await webhooks.insert({ ...WEBHOOK, events: [...WEBHOOK.events] }, 'whsec_one');
    });
  });
  afterAll(() => opened?.close());

  const write = <Result>(body: (repositories: Repositories) => Promise<Result>) =>
    opened.database.write(SYSTEM_CALL, body);
  const free = async (found: string, strength: string): Promise<number> =>
    (await query(opened.path, `SELECT 1 FROM ${found} ${strength} SKIP LOCKED`, [])).length;
  const freeIn = (found: string, strength: string, body: (repositories: Repositories) => Promise<unknown>) =>
    write(async (repositories) => {
      await body(repositories);
      return free(found, strength);
    });

  test.each(LOCKS)('stays locked for other transactions until that one ends: %s', async (_, body, found) => {
    expect(await free(found, 'FOR UPDATE')).toBe(1);
    expect(await freeIn(found, 'FOR UPDATE', body)).toBe(0);
    expect(await free(found, 'FOR UPDATE')).toBe(1);
  });

  test('does not block counting the events of a store that is not being reset', async () => {
    expect(await freeIn('stores WHERE id = 1', 'FOR NO KEY UPDATE', ({ stores }) => stores.isResetting(1n))).toBe(1);
  });

  test('does not block a change to its webhook’s key', async () => {
    const found = `keys WHERE id = '${WEBHOOK_KEY.id}'`;
    expect(await freeIn(found, 'FOR UPDATE', ({ sequencer }) => sequencer.assignSome(1n))).toBe(1);
  });

  test.each(LOCKS.filter(([, , found]) => found.startsWith('stores')))(
    'does not block another store: %s',
    async (_, body) => {
      expect(await freeIn('stores WHERE id = 2', 'FOR UPDATE', body)).toBe(1);
    },
  );

  test('is locked against all other use if it is a store that is being reset', async () => {
    const found = 'stores WHERE id = 2';
    await write(({ stores }) => stores.beginReset({ storeId: 2n, keyId: null, requestId: null }));
    expect(await freeIn(found, 'FOR KEY SHARE', ({ stores }) => stores.continueReset(2n))).toBe(0);
    await write(({ stores }) => stores.endReset(2n));
    expect(await freeIn(found, 'FOR KEY SHARE', ({ stores }) => stores.continueReset(2n))).toBe(1);
  });
});
