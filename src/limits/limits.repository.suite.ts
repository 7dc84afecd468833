import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import type { Database } from '../storage/database.ts';
import type { LimitRepository } from './limits.repository.ts';
import type { Ban, Tally } from './window.ts';

type Repositories = { limits: LimitRepository };

export type LimitRepositoryHarness = {
  database: Database<Repositories, Repositories>;
  reopen(): Promise<void>;
  close(): Promise<void>;
};

const NOW = 1_800_000_000_000;

const ban = (bannedAt: number, lengthMs = 1000, rememberedMs = 5000): Ban => ({
  bannedAt,
  until: bannedAt + lengthMs,
  forgottenAt: bannedAt + lengthMs + rememberedMs,
});

export const limitRepositorySuite = (open: () => Promise<LimitRepositoryHarness>): void => {
  let harness: LimitRepositoryHarness;
  beforeEach(async () => {
    harness = await open();
  });
  afterEach(() => harness.close());

  const write = (body: (limits: LimitRepository) => Promise<unknown>) =>
    harness.database.write(SYSTEM_CALL, ({ limits }) => body(limits));
  const save = (tallies: Record<string, Tally>) => write((limits) => limits.save(new Map(Object.entries(tallies))));
  const load = async (now = NOW) => Object.fromEntries(await harness.database.read(1n).limits.load(now));

  describe('the store of windows', () => {
    test('is empty at first', async () => {
      expect(await load()).toEqual({});
    });

    test('returns every count as saved, even after a restart', async () => {
      const tallies: Record<string, Tally> = {
        key_one: { windows: { minute: { used: 3, until: NOW + 1 }, day: { used: 9_999_999_999, until: NOW + 2 } } },
        key_two: { windows: { day: { used: 1, until: NOW + 3 } }, refusals: { used: 59, until: NOW + 4 } },
        'address:2001:db8:1:2::/64': { windows: { minute: { used: 600, until: NOW + 5 } } },
      };
      await save(tallies);
      expect(await load()).toEqual(tallies);
      await harness.reopen();
      expect(await load()).toEqual(tallies);
    });

    test('replaces the counts of one subject only', async () => {
      const other: Tally = { windows: { minute: { used: 1, until: NOW + 10 } } };
      await save({ one: { windows: { minute: { used: 1, until: NOW + 10 } } }, other });
      await save({ one: { windows: { minute: { used: 7, until: NOW + 99 } } } });
      expect(await load()).toEqual({ one: { windows: { minute: { used: 7, until: NOW + 99 } } }, other });
    });

    test('returns no window that has ended', async () => {
      await save({
        ended: { windows: { minute: { used: 1, until: NOW } }, refusals: { used: 1, until: NOW - 1 } },
        half: { windows: { minute: { used: 1, until: NOW }, day: { used: 1, until: NOW + 1 } } },
      });
      expect(await load()).toEqual({ half: { windows: { day: { used: 1, until: NOW + 1 } } } });
    });

    test('removes ended windows and no others', async () => {
      const running: Tally = { windows: { day: { used: 1, until: NOW + 1 } } };
      await save({ ended: { windows: { minute: { used: 1, until: NOW } } }, running });
      await write((limits) => limits.forget(NOW));
      expect(await load(0)).toEqual({ running });
    });

    test('removes at most 1,000 windows per call', async () => {
      const ended: Tally = { windows: { minute: { used: 1, until: NOW } } };
      await save(Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`address:${at}`, ended])));
      for (const left of [500, 0]) {
        await write((limits) => limits.forget(NOW));
        expect(Object.keys(await load(0))).toHaveLength(left);
      }
    });

    test('keeps nothing of a failed transaction', async () => {
      const failed = write(async (limits) => {
        await limits.save(new Map([['one', { windows: { minute: { used: 1, until: NOW + 1 } } }]]));
        await limits.addBan('one', ban(NOW));
        throw new Error('something else went wrong');
      });
      await expect(failed).rejects.toThrow('something else went wrong');
      expect(await load()).toEqual({});
    });
  });

  describe('the store of bans', () => {
    test('returns a ban as added, even after a restart', async () => {
      await write((limits) => limits.addBan('key_one', ban(NOW)));
      await harness.reopen();
      expect(await load()).toEqual({ key_one: { windows: {}, ban: ban(NOW) } });
    });

    test('returns a ban after its end, until it is forgotten', async () => {
      const old = ban(NOW, 1000, 5000);
      await write((limits) => limits.addBan('one', old));
      const findBan = (now: number) => harness.database.read(1n).limits.findBan('one', now);
      expect(await load(NOW + 5999)).toEqual({ one: { windows: {}, ban: old } });
      expect(await findBan(NOW + 5999)).toEqual(old);
      expect(await load(NOW + 6000)).toEqual({});
      expect(await findBan(NOW + 6000)).toBeUndefined();
    });

    test('adds a ban once, however often it is added, and reports whether it was new', async () => {
      const add = (one: Ban) => write((limits) => limits.addBan('one', one));
      expect([await add(ban(NOW)), await add(ban(NOW, 9000)), await add(ban(NOW + 1))]).toEqual([true, false, true]);
      await write((limits) => limits.liftBan('one', NOW));
      expect(await add(ban(NOW + 1))).toBe(false);
      expect((await load()).one?.ban).toEqual({ ...ban(NOW + 1), until: NOW + 1 });
    });

    test('returns the last of several bans', async () => {
      const bans = [ban(NOW - 3000), ban(NOW - 1000, 1500), ban(NOW - 2000, 4000)];
      for (const one of bans) await write((limits) => limits.addBan('one', one));
      expect((await load()).one?.ban).toEqual(ban(NOW - 1000, 1500));
      expect(await harness.database.read(1n).limits.findBan('one', NOW)).toEqual(ban(NOW - 1000, 1500));
      expect(await harness.database.read(1n).limits.findBan('other', NOW)).toBeUndefined();
    });

    test('keeps bans of different subjects separate', async () => {
      await write((limits) => limits.addBan('one', ban(NOW)));
      await write((limits) => limits.addBan('other', ban(NOW, 7000)));
      expect(await load()).toEqual({
        one: { windows: {}, ban: ban(NOW) },
        other: { windows: {}, ban: ban(NOW, 7000) },
      });
    });

    test('drops the refusals that led to the ban, and keeps the windows', async () => {
      const windows = { minute: { used: 60, until: NOW + 10 }, day: { used: 70, until: NOW + 20 } };
      const refusals = { used: 59, until: NOW + 10 };
      await save({ one: { windows, refusals }, other: { windows: {}, refusals } });
      await write((limits) => limits.addBan('one', ban(NOW)));
      expect(await load()).toEqual({ one: { windows, ban: ban(NOW) }, other: { windows: {}, refusals } });
    });

    test('lifts the current ban of a subject, and no other', async () => {
      const [over, running] = [ban(NOW - 9000), ban(NOW - 500)];
      for (const each of [over, running]) await write((limits) => limits.addBan('one', each));
      await write((limits) => limits.addBan('other', running));
      await write((limits) => limits.liftBan('one', NOW));
      const findBan = (id: string) => harness.database.read(1n).limits.findBan(id, NOW);
      expect(await findBan('one')).toEqual({ ...running, until: running.bannedAt });
      expect(await findBan('other')).toEqual(running);
      await harness.reopen();
      expect((await load()).one?.ban).toEqual({ ...running, until: running.bannedAt });
      const endsNow = ban(NOW - 1000);
      await write((limits) => limits.addBan('two', endsNow));
      await write((limits) => limits.liftBan('two', NOW));
      expect((await load()).two?.ban).toEqual(endsNow);
    });

    test('keeps bans when ended windows are removed', async () => {
      await write((limits) => limits.addBan('one', ban(NOW)));
      await write((limits) => limits.forget(NOW + 1_000_000));
      expect((await load(NOW)).one?.ban).toEqual(ban(NOW));
    });
  });
};
