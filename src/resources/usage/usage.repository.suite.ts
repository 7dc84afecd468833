import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Database } from '../../storage/database.ts';
import type { Key } from '../keys/key.ts';
import type { KeyRepository } from '../keys/keys.repository.ts';
import type { UsageRepository } from './usage.repository.ts';
import type { KeyUsage } from './usage.ts';

type Repositories = { usage: UsageRepository; keys: KeyRepository };

export type UsageRepositoryHarness = {
  database: Database<Repositories, Repositories>;
  reopen(): Promise<void>;
  close(): Promise<void>;
};

const HOUR = 3_600_000;
const NOON = Date.parse('2026-11-20T12:00:00.000Z');

const usage = (fields: Partial<KeyUsage> = {}): KeyUsage => ({
  keyId: 'key_one',
  lastUsedAt: NOON,
  hours: [],
  deprecated: [],
  ...fields,
});

const key = (id: string): Key => ({
  id,
  name: 'test',
  plan: 'free',
  limits: { perMinute: 60, perDay: 1000, pets: 10_000 },
  scopes: ['pets:read'],
  storeId: 1n,
  prefix: 'ps_live_',
  last4: 'Lq17',
  admin: false,
  createdAt: NOON,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
});

export const usageRepositorySuite = (open: () => Promise<UsageRepositoryHarness>): void => {
  let harness: UsageRepositoryHarness;
  beforeEach(async () => {
    harness = await open();
  });
  afterEach(() => harness.close());

  const add = (...batch: KeyUsage[]) =>
    harness.database.write(SYSTEM_CALL, (repositories) => repositories.usage.add(batch));
  const forget = (before: number, most = 1000) =>
    harness.database.write(SYSTEM_CALL, (repositories) => repositories.usage.forget(before, most));
  const hoursOf = (keyId = 'key_one', since = 0) => harness.database.read(1n).usage.hoursOf(keyId, since);
  const calls = () => harness.database.read(1n).usage.deprecatedCalls();

  describe('the usage repository', () => {
    test('is empty at first', async () => {
      expect(await hoursOf()).toEqual([]);
      expect(await calls()).toEqual([]);
    });

    test('returns the counts of a key by hour and status, even after the database is reopened', async () => {
      const hours = [
        { hour: NOON + HOUR, status: 200, count: 1 },
        { hour: NOON, status: 429, count: 9_007_199_254_740_991 },
        { hour: NOON, status: 200, count: 3 },
      ];
      await add(usage({ hours }), usage({ keyId: 'key_two', hours: [{ hour: NOON, status: 200, count: 8 }] }));
      const sorted = [hours[2], hours[1], hours[0]];
      expect(await hoursOf()).toEqual(sorted as typeof hours);
      await harness.reopen();
      expect(await hoursOf()).toEqual(sorted as typeof hours);
      expect(await hoursOf('key_two')).toEqual([{ hour: NOON, status: 200, count: 8 }]);
    });

    test('adds new counts to stored ones', async () => {
      await add(usage({ hours: [{ hour: NOON, status: 200, count: 3 }] }));
      await add(
        usage({
          hours: [
            { hour: NOON, status: 200, count: 4 },
            { hour: NOON, status: 404, count: 1 },
          ],
        }),
      );
      expect(await hoursOf()).toEqual([
        { hour: NOON, status: 200, count: 7 },
        { hour: NOON, status: 404, count: 1 },
      ]);
    });

    test('returns hours from the given one', async () => {
      await add(usage({ hours: [0, 1, 2].map((at) => ({ hour: NOON + at * HOUR, status: 200, count: 1 })) }));
      expect((await hoursOf('key_one', NOON + HOUR)).map(({ hour }) => hour)).toEqual([NOON + HOUR, NOON + 2 * HOUR]);
    });

    test('deletes only the hours before a given time', async () => {
      const hours = [0, 1].map((at) => ({ hour: NOON + at * HOUR, status: 200, count: 1 }));
      await add(usage({ hours }), usage({ keyId: 'key_two', hours }));
      await forget(NOON + HOUR);
      for (const keyId of ['key_one', 'key_two']) expect(await hoursOf(keyId)).toEqual(hours.slice(1));
    });

    test('deletes the oldest first, up to the given number, and returns how many', async () => {
      await add(usage({ hours: [0, 1, 2, 3, 4].map((at) => ({ hour: at * HOUR, status: 200, count: 1 })) }));
      for (const left of [3, 1, 0]) {
        expect(await forget(NOON, 2)).toBe(left === 0 ? 1 : 2);
        expect(await hoursOf()).toHaveLength(left);
        if (left > 0) expect((await hoursOf())[0]?.hour).toBe((5 - left) * HOUR);
      }
    });

    test('returns the newest hour of any key up to a given time', async () => {
      const newestHour = (until: number) => harness.database.read(1n).usage.newestHour(until);
      expect(await newestHour(NOON)).toBeUndefined();
      const at = (keyId: string, hour: number) => usage({ keyId, hours: [{ hour, status: 200, count: 1 }] });
      await add(at('key_one', NOON), at('key_two', NOON + HOUR));
      const found = await Promise.all([NOON - 1, NOON, NOON + HOUR - 1, NOON + HOUR, NOON + 9 * HOUR].map(newestHour));
      expect(found).toEqual([undefined, NOON, NOON, NOON + HOUR, NOON + HOUR]);
    });

    test('counts the calls of deprecated operations by key, the latest first', async () => {
      const called = (keyId: string, operation: string, count: number, lastCalledAt: number) =>
        usage({ keyId, deprecated: [{ operation, keyId, calls: count, lastCalledAt }] });
      await add(called('key_one', 'getPet', 2, NOON), called('key_two', 'getPet', 1, NOON + 1));
      await add(called('key_one', 'getPet', 3, NOON + 2), called('key_one', 'getDog', 1, NOON + 3));
      await add(called('key_two', 'getPet', 1, NOON - 1));
      await forget(NOON + HOUR);
      await harness.reopen();
      expect(await calls()).toEqual([
        { operation: 'getDog', keyId: 'key_one', calls: 1, lastCalledAt: NOON + 3 },
        { operation: 'getPet', keyId: 'key_one', calls: 5, lastCalledAt: NOON + 2 },
        { operation: 'getPet', keyId: 'key_two', calls: 2, lastCalledAt: NOON + 1 },
      ]);
    });

    test('records when each key was last used, and never replaces it with an earlier time', async () => {
      await harness.database.write(SYSTEM_CALL, async ({ keys }) => {
        await keys.insert(key('key_one'), new Uint8Array(32).fill(1));
        await keys.insert(key('key_two'), new Uint8Array(32).fill(2));
      });
      const lastUsed = async (id: string) => (await harness.database.read(1n).keys.find(id))?.lastUsedAt;
      for (const [at, noted] of [
        [NOON + 5, NOON + 5],
        [NOON + 4, NOON + 5],
        [NOON + 6, NOON + 6],
      ] as const) {
        await add(usage({ lastUsedAt: at }));
        expect(await lastUsed('key_one')).toBe(noted);
      }
      expect(await lastUsed('key_two')).toBeNull();
    });

    test('keeps nothing of a transaction that fails', async () => {
      const failed = harness.database.write(SYSTEM_CALL, async (repositories) => {
        await repositories.usage.add([usage({ hours: [{ hour: NOON, status: 200, count: 1 }] })]);
        throw new Error('something else went wrong');
      });
      await expect(failed).rejects.toThrow('something else went wrong');
      expect(await hoursOf()).toEqual([]);
    });
  });
};
