import { beforeEach, describe, expect, test } from 'bun:test';
import { createTestClock } from '../../test/clock.ts';
import { createMemoryLimiter } from './limiter.memory.ts';
import type { Ban, Subject, Tally } from './window.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const subject = (id = 'key_one'): Subject => ({
  id,
  windows: [{ name: 'minute', limit: 1, lengthMs: MINUTE }],
  ban: { refusals: 1, countedMs: MINUTE, firstMs: 2 * MINUTE, longestMs: DAY, rememberedMs: DAY },
});

let clock: ReturnType<typeof createTestClock>;
let limiter: ReturnType<typeof createMemoryLimiter>;
let tallies: Map<string, Tally>;
let saved: { bans: Ban[]; windows: string[][] };
let fault: Error | undefined;
let held: Promise<void> | undefined;

beforeEach(() => {
  clock = createTestClock();
  tallies = new Map();
  saved = { bans: [], windows: [] };
  [fault, held] = [undefined, undefined];
  limiter = createMemoryLimiter({
    clock,
    tallies,
    saveWindows: async (some) => {
      if (fault) throw fault;
      saved.windows.push([...some.keys()]);
    },
    saveBan: async (_, ban) => {
      await held;
      if (fault) throw fault;
      saved.bans.push(ban);
    },
  });
});
const take = async (of = subject()) => (await limiter.take(of)).refused?.by;

describe('a ban that is not saved yet', () => {
  const beginUnsaved = async () => {
    fault = new Error('disk full');
    await limiter.take(subject());
    await expect((async () => limiter.take(subject()))()).rejects.toThrow('disk full');
    fault = undefined;
  };

  test('is not shown to any caller, and is saved by the next request that it refuses', async () => {
    await beginUnsaved();
    expect(limiter.bannedUntil('key_one')).toBeUndefined();
    expect(await take()).toBe('ban');
    expect(saved.bans).toHaveLength(1);
    expect(limiter.bannedUntil('key_one')).toBe(clock() + 2 * MINUTE);
    expect(await take()).toBe('ban');
    expect(saved.bans).toHaveLength(1);
  });

  test('is saved once for all requests that it refuses meanwhile', async () => {
    await limiter.take(subject());
    const holding = Promise.withResolvers<void>();
    held = holding.promise;
    const refused = [take(), take(), take()];
    holding.resolve();
    expect(await Promise.all(refused)).toEqual(['ban', 'ban', 'ban']);
    expect(saved.bans).toHaveLength(1);
  });

  test('is saved if it arrives again unchanged, and dropped if another ban replaces it', async () => {
    await beginUnsaved();
    const { ban } = tallies.get('key_one') as { ban: Ban };
    limiter.learn(subject(), { windows: {}, ban: { ...ban } }, false);
    expect(await take()).toBe('ban');
    expect(saved.bans).toEqual([ban]);

    clock.advance(2 * DAY);
    saved.bans = [];
    await beginUnsaved();
    const other = { bannedAt: clock() - 1, until: clock() + MINUTE, forgottenAt: clock() + DAY };
    limiter.learn(subject(), { windows: {}, ban: other }, false);
    expect(await take()).toBe('ban');
    expect(saved.bans).toEqual([]);
  });

  test('is saved by this instance if another one began it without saving it', async () => {
    const ban = { bannedAt: clock(), until: clock() + MINUTE, forgottenAt: clock() + DAY };
    limiter.learn(subject(), { windows: {}, ban }, true);
    expect(limiter.bannedUntil('key_one')).toBeUndefined();
    expect(await take()).toBe('ban');
    expect(saved.bans).toEqual([ban]);
    limiter.learn(subject('key_two'), { windows: {} }, true);
    expect(await take(subject('key_two'))).toBeUndefined();
  });
});

test('a ban from the database applies if it is later than the known one', async () => {
  const ban = { bannedAt: clock(), until: clock() + MINUTE, forgottenAt: clock() + DAY };
  limiter.applyBan('key_one', ban);
  limiter.applyBan('key_one', { ...ban, bannedAt: clock() - 1, until: clock() + DAY });
  expect(limiter.bannedUntil('key_one')).toBe(ban.until);
  expect(limiter.bannedUntil('key_two')).toBeUndefined();
  expect(await take()).toBe('ban');
});

describe('a flush', () => {
  test('writes the counts since the last one, 200 subjects at a time', async () => {
    for (let index = 0; index < 401; index += 1) await limiter.take(subject(`key_${index}`));
    await limiter.flush();
    expect(saved.windows.map(({ length }) => length)).toEqual([200, 200, 1]);
    expect(new Set(saved.windows.flat()).size).toBe(401);
    saved.windows = [];
    await limiter.flush();
    expect(saved.windows).toEqual([]);
  });

  test('that fails leaves its counts to the next one', async () => {
    await limiter.take(subject());
    fault = new Error('disk full');
    await expect(limiter.flush()).rejects.toThrow('disk full');
    fault = undefined;
    await limiter.flush();
    expect(saved.windows).toEqual([['key_one']]);
  });

  test('removes expired entries and no others', async () => {
    await limiter.take(subject('key_old'));
    clock.advance(MINUTE - 1);
    await limiter.take(subject('key_new'));
    clock.advance(1);
    await limiter.flush();
    expect([...tallies.keys()]).toEqual(['key_new']);
    clock.advance(MINUTE);
    await limiter.flush();
    await limiter.flush();
    expect([...tallies.keys()]).toEqual([]);
  });

  test('keeps an expired entry that is counted while it writes', async () => {
    await limiter.take(subject());
    clock.advance(MINUTE);
    const flushed = limiter.flush();
    await limiter.take(subject());
    await flushed;
    expect([...tallies.keys()]).toEqual(['key_one']);
  });
});
