import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Database } from '../../storage/database.ts';
import type { Key } from './key.ts';
import type { KeyRepository } from './keys.repository.ts';

type Repositories = { keys: KeyRepository };

export type KeyRepositoryHarness = {
  database: Database<Repositories, Repositories>;
  reopen(): Promise<void>;
  close(): Promise<void>;
};

const NOW = 1_800_000_000_000;

const key = (fields: Partial<Key> = {}): Key => ({
  id: 'key_one',
  name: 'Front desk',
  plan: 'free',
  limits: { perMinute: 60, perDay: 1000, pets: 10_000 },
  scopes: ['pets:read', 'orders:write'],
  storeId: 1n,
  prefix: 'ps_live_',
  last4: 'Lq17',
  admin: false,
  createdAt: NOW,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  ...fields,
});

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

export const keyRepositorySuite = (open: () => Promise<KeyRepositoryHarness>): void => {
  let harness: KeyRepositoryHarness;
  beforeEach(async () => {
    harness = await open();
  });
  afterEach(() => harness.close());

  const write = (body: (keys: KeyRepository) => Promise<void>) =>
    harness.database.write(SYSTEM_CALL, ({ keys }) => body(keys));
  const insert = (one: Key, byte = 1) => write((keys) => keys.insert(one, hash(byte)));
  const reads = () => harness.database.read(1n).keys;
  const openedBy = async (hash: Uint8Array, now: number) => (await reads().findBySecret(hash, now))?.key;

  describe('the key repository', () => {
    const kept: [string, Key][] = [
      ['a plain key', key()],
      [
        'a key with custom limits',
        key({ plan: 'enterprise', limits: { perMinute: 7, perDay: 9_007_199_254_740_991, pets: 5 } }),
      ],
      ['a key of another store', key({ storeId: 9_223_372_036_854_775_807n })],
      ['a key with every timestamp set', key({ expiresAt: NOW + 1, lastUsedAt: NOW + 2, revokedAt: NOW + 3 })],
      ['a name with any characters', key({ name: ' Zoe\u0308 🐕 "\\' })],
    ];
    test.each(kept)('returns %s as it was inserted, even after the database is reopened', async (_, one) => {
      await insert(one);
      expect(await reads().find(one.id)).toEqual(one);
      await harness.reopen();
      expect(await reads().find(one.id)).toEqual(one);
      expect(await openedBy(hash(1), NOW)).toEqual(one);
    });

    test('finds a key only by its own secret', async () => {
      await insert(key());
      await insert(key({ id: 'key_two' }), 2);
      expect((await openedBy(hash(2), NOW))?.id).toBe('key_two');
      expect(await openedBy(hash(3), NOW)).toBeUndefined();
    });

    test('finds no key for an unknown id', async () => {
      await insert(key());
      expect(await reads().find('key_two')).toBeUndefined();
    });

    test('finds the admin key, if there is one', async () => {
      await insert(key());
      expect(await reads().findAdmin()).toBeUndefined();
      const admin = key({ id: 'key_admin', admin: true });
      await insert(admin, 2);
      expect(await reads().findAdmin()).toEqual(admin);
    });

    test('locks the given key, and the admin key', async () => {
      const [one, two, admin] = [key(), key({ id: 'key_two' }), key({ id: 'key_three', admin: true })];
      for (const [byte, each] of [one, two, admin].entries()) await insert(each, byte);
      await write(async (keys) => {
        expect(await keys.lock('key_two')).toEqual(two);
        expect(await keys.lock('key_four')).toBeUndefined();
        expect(await keys.lockAdmin()).toEqual(admin);
      });
    });

    const impossible: [string, Key, number][] = [
      ['a second admin key', key({ id: 'key_three', admin: true }), 3],
      ['a second key with the same id', key({ id: 'key_two', name: 'Another' }), 3],
      ['a second key with the same secret', key({ id: 'key_three' }), 2],
    ];
    test.each(impossible)('refuses %s and stores nothing', async (_, one, byte) => {
      await insert(key({ admin: true }));
      await insert(key({ id: 'key_two' }), 2);
      await expect(insert(one, byte)).rejects.toThrow();
      expect(await reads().find('key_three')).toBeUndefined();
      expect(await openedBy(hash(3), NOW)).toBeUndefined();
      expect((await reads().find('key_two'))?.name).toBe('Front desk');
      expect((await openedBy(hash(2), NOW))?.id).toBe('key_two');
    });

    test('replaces a secret: the new one finds the same key, the old one finds nothing', async () => {
      await insert(key());
      await insert(key({ id: 'key_two' }), 2);
      await write((keys) => keys.replaceSecret({ id: 'key_one', prefix: '', last4: 'wxyz' }, hash(3), NOW));
      expect(await openedBy(hash(3), NOW)).toEqual(key({ prefix: '', last4: 'wxyz' }));
      expect(await openedBy(hash(1), NOW)).toBeUndefined();
      expect((await openedBy(hash(2), NOW))?.last4).toBe('Lq17');
    });

    test('keeps the previous secret until its grace period ends, and expires older ones', async () => {
      const replace = (byte: number, graceEndsAt: number) =>
        write((keys) =>
          keys.replaceSecret({ id: 'key_one', prefix: '', last4: `000${byte}` }, hash(byte), graceEndsAt),
        );
      const opens = async (now: number) => {
        const found = await Promise.all([1, 2, 3].map((byte) => openedBy(hash(byte), now)));
        return found.map((one) => one?.last4);
      };
      await insert(key());
      await replace(2, NOW + 1000);
      expect(await opens(NOW + 999)).toEqual(['0002', '0002', undefined]);
      expect(await opens(NOW + 1000)).toEqual([undefined, '0002', undefined]);
      await replace(3, NOW + 500);
      expect(await opens(NOW + 499)).toEqual([undefined, '0003', '0003']);
      expect(await opens(NOW + 500)).toEqual([undefined, undefined, '0003']);
    });

    test('keeps the secrets of other keys in their grace period', async () => {
      await insert(key());
      await insert(key({ id: 'key_two' }), 2);
      await write((keys) => keys.replaceSecret(key({ id: 'key_two' }), hash(3), NOW + 1000));
      for (const byte of [4, 5]) await write((keys) => keys.replaceSecret(key(), hash(byte), NOW + 1000));
      const opened = await Promise.all([1, 2, 3, 4, 5].map((byte) => openedBy(hash(byte), NOW)));
      expect(opened.map((one) => one?.id)).toEqual([undefined, 'key_two', 'key_two', 'key_one', 'key_one']);
    });

    test('can reuse an earlier secret of a key', async () => {
      await insert(key());
      for (const byte of [2, 1]) await write((keys) => keys.replaceSecret(key(), hash(byte), NOW));
      expect((await openedBy(hash(1), NOW))?.id).toBe('key_one');
      expect(await openedBy(hash(2), NOW)).toBeUndefined();
    });

    const changes: [string, Partial<Key>][] = [
      ['name', { name: 'Till' }],
      ['plan and limits', { plan: 'enterprise', limits: { perMinute: 7, perDay: 9_007_199_254_740_991, pets: 5 } }],
      ['scopes', { scopes: ['ops:read'] }],
      ['expiry', { expiresAt: NOW + 1 }],
      ['revocation', { revokedAt: NOW + 2 }],
    ];
    test.each(changes)('stores a change to the %s, and changes no other key', async (_, change) => {
      await insert(key());
      await insert(key({ id: 'key_two' }), 2);
      await write((keys) => keys.update(key(change)));
      expect(await reads().find('key_one')).toEqual(key(change));
      expect(await openedBy(hash(1), NOW)).toEqual(key(change));
      expect(await reads().find('key_two')).toEqual(key({ id: 'key_two' }));
    });

    test('removes custom limits when the plan changes, and an expiry when it is null', async () => {
      const limits = { perMinute: 7, perDay: 9, pets: null };
      await insert(key({ plan: 'enterprise', limits, expiresAt: NOW + 1 }));
      await write((keys) => keys.update(key()));
      expect(await reads().find('key_one')).toEqual(key());
    });

    test('keeps immutable fields', async () => {
      const first = key({ lastUsedAt: NOW + 5 });
      await insert(first);
      const other = { storeId: 2n, prefix: 'x', last4: 'x', admin: true, createdAt: 0, lastUsedAt: null };
      await write((keys) => keys.update({ ...first, ...other, name: 'Till' }));
      expect(await reads().find('key_one')).toEqual({ ...first, name: 'Till' });
    });

    test('lists the keys of all stores by creation time and id, in both orders, in pages', async () => {
      const places: [string, number][] = [
        ['key_z', NOW],
        ['key_B', NOW + 1],
        ['key_a', NOW + 1],
        ['key_b', NOW + 1],
        ['key_A', NOW + 2],
      ];
      for (const [index, [id, createdAt]] of [...places.entries()].reverse()) {
        await insert(key({ id, createdAt, storeId: BigInt(index + 1) }), index);
      }
      const ids = places.map(([id]) => id);
      for (const [order, expected] of [
        ['asc', ids],
        ['desc', ids.toReversed()],
      ] as const) {
        const seen: string[] = [];
        for (let after: { createdAt: number; id: string } | undefined; seen.length < ids.length; ) {
          const page = await reads().list({ limit: 2, order, after });
          expect(page).toHaveLength(Math.min(2, ids.length - seen.length));
          seen.push(...page.map(({ id }) => id));
          after = page.at(-1);
        }
        expect(seen).toEqual(expected);
      }
      expect(await reads().list({ limit: 2, order: 'asc', after: { createdAt: NOW + 2, id: 'key_A' } })).toEqual([]);
    });

    test('shows a key to readers only once its transaction is committed', async () => {
      await write(async (keys) => {
        await keys.insert(key(), hash(1));
        expect(await keys.find('key_one')).toEqual(key());
        expect(await reads().find('key_one')).toBeUndefined();
      });
      expect(await reads().find('key_one')).toEqual(key());
    });

    test('keeps nothing of a transaction that fails', async () => {
      const failed = write(async (keys) => {
        await keys.insert(key(), hash(1));
        throw new Error('something else went wrong');
      });
      await expect(failed).rejects.toThrow('something else went wrong');
      expect(await reads().find('key_one')).toBeUndefined();
      expect(await openedBy(hash(1), NOW)).toBeUndefined();
    });

    test('writes nothing outside a transaction', async () => {
      await expect(reads().insert(key(), hash(1))).rejects.toThrow();
      expect(await reads().find('key_one')).toBeUndefined();
    });
  });
};
