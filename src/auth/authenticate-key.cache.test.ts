import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../test/database.ts';
import { sampleKey } from '../../test/sample-key.ts';
import { type Caller, SYSTEM_CALL } from '../kernel/operation.ts';
import { createLocalKeyChanges } from '../resources/keys/changes.ts';
import type { Key } from '../resources/keys/key.ts';
import type { KeyReads } from '../resources/keys/keys.repository.ts';
import { hashSecret, makeSecret } from '../resources/keys/secret.ts';
import { createKeyCache } from './authenticate-key.ts';

const key = sampleKey(['pets:read']);
const caller: Caller = {
  keyId: 'key_one',
  storeId: 1n,
  scopes: ['pets:read'],
  limits: { perMinute: 60, perDay: 1000, pets: 10_000 },
  endsAt: null,
};

const secret = (number: number) => `secret-${number}`;
const hash = (number: number) => hashSecret(secret(number));

let files: TestDatabase;
let reads: number;
let changes: ReturnType<typeof createLocalKeyChanges>;
let open: (secret: string, now: number) => Promise<Caller | undefined>;
let cache: ReturnType<typeof createKeyCache>;
let admin: Key | undefined;
let meanwhile: () => void | Promise<void>;
beforeEach(async () => {
  files = openTestDatabase();
  reads = 0;
  meanwhile = () => undefined;
  changes = createLocalKeyChanges();
  admin = { ...key, id: 'key_admin', admin: true, prefix: '', last4: 'e-me' };
  const keys: Pick<KeyReads, 'findBySecret' | 'findAdmin'> = {
    findAdmin: async () => {
      reads += 1;
      await meanwhile();
      return admin;
    },
    findBySecret: async (...asked) => {
      reads += 1;
      const found = await files.database.read(1n).keys.findBySecret(...asked);
      await meanwhile();
      return found;
    },
  };
  cache = createKeyCache({ keys, changes });
  open = async (...asked) => cache.get(asked[0]) ?? cache.open(...asked);
  await files.database.write(SYSTEM_CALL, ({ keys }) => keys.insert(key, hash(1)));
});
afterEach(() => files.close());

const grantOrders = () =>
  files.database.write(SYSTEM_CALL, ({ keys }) => keys.update({ ...key, scopes: ['orders:read'] }));

describe('cached keys', () => {
  test('are read once', async () => {
    for (let times = 0; times < 3; times += 1) expect(await open(secret(1), 5)).toEqual(caller);
    expect(reads).toBe(1);
  });

  test('are read again after a change, and other keys are not', async () => {
    await files.database.write(SYSTEM_CALL, ({ keys }) => keys.insert({ ...key, id: 'key_two' }, hash(2)));
    await open(secret(1), 5);
    await open(secret(2), 5);
    await grantOrders();
    changes.publish('key_one');
    expect((await open(secret(1), 5))?.scopes).toEqual(['orders:read']);
    await open(secret(2), 5);
    expect(reads).toBe(3);
  });

  test('are not cached if they change during the read', async () => {
    meanwhile = () => changes.publish('key_one');
    await open(secret(1), 5);
    await grantOrders();
    meanwhile = () => undefined;
    expect((await open(secret(1), 5))?.scopes).toEqual(['orders:read']);
  });

  const openTogether = async (
    number: number,
    [first, ...others]: [number, ...number[]],
    change: () => Promise<void> = async () => undefined,
  ) => {
    const [isRead, isHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    meanwhile = () => {
      isRead.resolve();
      return isHeld.promise;
    };
    const early = open(secret(number), first);
    await isRead.promise;
    await change();
    const late = others.map((now) => open(secret(number), now));
    isHeld.resolve();
    return Promise.all([early, ...late]);
  };

  test('are read at most twice for any number of concurrent requests, and no result is older than its request', async () => {
    const [early, ...late] = await openTogether(1, [5, ...Array.from({ length: 1000 }, () => 5)], async () => {
      await grantOrders();
      changes.publish('key_one');
    });
    expect(early?.scopes).toEqual(['pets:read']);
    expect(new Set(late.map((found) => found?.scopes.join()))).toEqual(new Set(['orders:read']));
    expect(reads).toBe(2);
  });

  test.each([
    ['expires', 1, 'key_one'],
    ['is unknown', 9, undefined],
  ])('are read at most twice for concurrent requests with a secret that %s', async (_, number, id) => {
    await files.database.write(SYSTEM_CALL, ({ keys }) => keys.replaceSecret(key, hash(3), 100));
    const found = await openTogether(number, [5, 5, 5, 5]);
    expect(found.map((caller) => caller?.keyId)).toEqual([id, id, id, id]);
    expect(reads).toBe(2);
  });

  test('do not accept a secret that expired during another lookup', async () => {
    await files.database.write(SYSTEM_CALL, ({ keys }) => keys.replaceSecret(key, hash(3), 100));
    const [early, late] = await openTogether(1, [99, 100]);
    expect([early?.keyId, late]).toEqual(['key_one', undefined]);
  });

  test('are never valid once they are revoked', async () => {
    await files.database.write(SYSTEM_CALL, ({ keys }) => keys.update({ ...key, revokedAt: 500 }));
    expect((await open(secret(1), 5))?.endsAt).toBe(Number.NEGATIVE_INFINITY);
  });

  test('are read again while changes by other instances may be missing', async () => {
    await open(secret(1), 5);
    changes.isCurrent = () => false;
    expect(cache.get(secret(1))).toBeUndefined();
    changes.isCurrent = () => true;
    expect(cache.get(secret(1))).toEqual(caller);
  });

  test('are not cached under a secret that expires', async () => {
    await files.database.write(SYSTEM_CALL, ({ keys }) => keys.replaceSecret(key, hash(3), 100));
    expect(await open(secret(1), 99)).toBeDefined();
    expect(await open(secret(1), 100)).toBeUndefined();
  });

  test.each([
    [null, 100],
    [50, 50],
    [200, 100],
  ])('end with their secret at the latest: a key that expires at %p ends at %p', async (end, endsAt) => {
    await files.database.write(SYSTEM_CALL, async ({ keys }) => {
      await keys.update({ ...key, expiresAt: end });
      await keys.replaceSecret(key, hash(3), 100);
    });
    expect(await open(secret(1), 5)).toEqual({ ...caller, endsAt });
    expect(await open(secret(3), 5)).toEqual({ ...caller, endsAt: end });
  });

  test('are limited to 10,000: the oldest is evicted', async () => {
    const keys = { findAdmin: async () => admin, findBySecret: async () => ({ key, secretEndsAt: null }) };
    const full = createKeyCache({ keys, changes });
    for (let made = 1; made <= 10_000; made += 1) await full.open(secret(made), 5);
    expect(full.get(secret(1))).toEqual(caller);
    await full.open(secret(10_001), 5);
    expect([1, 2, 10_001].map((number) => full.get(secret(number)))).toEqual([undefined, caller, caller]);
  });

  test('do not include unknown secrets', async () => {
    expect(await open(secret(9), 5)).toBeUndefined();
    await files.database.write(SYSTEM_CALL, ({ keys }) => keys.insert({ ...key, id: 'key_new' }, hash(9)));
    expect((await open(secret(9), 5))?.keyId).toBe('key_new');
  });
});

describe('unknown secrets', () => {
  test('are cached until any key changes', async () => {
    expect(cache.isUnknown(secret(9))).toBe(false);
    await open(secret(9), 5);
    await open(secret(1), 5);
    expect([cache.isUnknown(secret(9)), cache.isUnknown(secret(1))]).toEqual([true, false]);
    changes.publish('key_one');
    expect(cache.isUnknown(secret(9))).toBe(false);
  });

  test('are not cached if a key changed during the read', async () => {
    meanwhile = () => changes.publish('key_one');
    await open(secret(9), 5);
    expect(cache.isUnknown(secret(9))).toBe(false);
  });

  test('are looked up again while changes by other instances may be missing', async () => {
    await open(secret(9), 5);
    changes.isCurrent = () => false;
    expect(cache.isUnknown(secret(9))).toBe(false);
  });

  test('are limited to 1,000, and never evict a key', async () => {
    await open(secret(1), 5);
    for (let made = 100; made <= 1100; made += 1) await open(secret(made), 5);
    expect([secret(100), secret(101), secret(1100)].map(cache.isUnknown)).toEqual([false, true, true]);
    expect(cache.get(secret(1))).toEqual(caller);
  });
});

describe('a possible secret', () => {
  const issued = makeSecret('production', (length) => 'x'.repeat(length));

  test('has the form of an issued key, or begins and ends like the admin key', async () => {
    for (const possible of [issued, 'open-sesame-me', 'e-me']) expect(await cache.isPossible(possible)).toBe(true);
    for (const other of ['', 'nonsense', `${issued}0`, 'ps_live_e-me', 'open-sesame-mE']) {
      expect(await cache.isPossible(other)).toBe(false);
    }
  });

  test('is recognized without a read, except for the admin key after any key has changed', async () => {
    await cache.isPossible(issued);
    expect(reads).toBe(0);
    for (let times = 0; times < 3; times += 1) await cache.isPossible('nonsense');
    expect(reads).toBe(1);
    admin = { ...key, admin: true, prefix: '', last4: 'ense' };
    changes.publish('key_admin');
    expect(await cache.isPossible('nonsense')).toBe(true);
    expect(reads).toBe(2);
  });

  test('is checked again if the admin key could not be read', async () => {
    meanwhile = () => Promise.reject(new Error('away'));
    await expect(cache.isPossible('open-sesame-me')).rejects.toThrow('away');
    meanwhile = () => undefined;
    expect(await cache.isPossible('open-sesame-me')).toBe(true);
  });
});
