import { banKey } from '../auth/ban-key.ts';
import type { Config } from '../config.ts';
import { explainError, type Log } from '../kernel/log.ts';
import { createMonotonicClock, type MonotonicClock } from '../kernel/monotonic-clock.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../kernel/operation.ts';
import { createMemoryLimiter, type MemoryLimiter } from '../limits/limiter.memory.ts';
import type { Bans, Limiter } from '../limits/limiter.ts';
import type { Subject } from '../limits/policy.ts';
import { byClockBehind, lastBeginning } from '../limits/set-clock.ts';
import type { Ban } from '../limits/window.ts';
import type { Backend } from './backend.ts';

type Deps = Pick<Backend, 'database' | 'keyChanges' | 'clock'> & {
  config: Config;
  log: Log;
};

/** `limitClock`: what is counted goes by a clock of its own, which is never set back. */
type Parts = Deps & { limitClock: MonotonicClock };

const createSaveBan =
  ({ database, keyChanges, limitClock }: Parts) =>
  async (subject: Subject, ban: Ban): Promise<void> => {
    const toldUntil = ban.until - limitClock.aheadMs();
    await database.write(SYSTEM_CALL, (repositories) => banKey(repositories, subject.id, ban, toldUntil));
    keyChanges.publish(subject.id);
  };

/** Also while what is remembered is still being read. */
const createReadBan =
  ({ database, clock, limitClock, log }: Parts, limiter: Promise<Pick<MemoryLimiter, 'applyBan'>>): Bans['readBan'] =>
  async (keyId) => {
    try {
      const ban = await database.read(FIRST_STORE).limits.findBan(keyId, clock());
      if (!ban) return;
      limitClock.advanceTo(ban.bannedAt);
      await (await limiter).applyBan(keyId, ban);
    } catch (error) {
      log.warn('ban_not_read', { keyId, error: explainError(error) });
    }
  };

/** What was remembered at the last stop. Time goes on from there, also when the clock was set back since. */
const loadTallies = async ({ database, clock, limitClock }: Parts) => {
  const tallies = await database.read(FIRST_STORE).limits.load(clock());
  limitClock.advanceTo(lastBeginning(tallies));
  return tallies;
};

/** Counts in this process, and keeps the counts in the database. */
const openMemoryLimiter = async (parts: Parts) => {
  const { database, limitClock: clock } = parts;
  const limiter = createMemoryLimiter({
    clock,
    tallies: await loadTallies(parts),
    saveWindows: (tallies) =>
      database.write(SYSTEM_CALL, async ({ limits }) => {
        await limits.save(tallies);
        await limits.forget(clock());
      }),
    saveBan: createSaveBan(parts),
  });
  // There is none that could be.
  return { ...limiter, isAway: undefined, close: () => undefined };
};

/** Counts in Redis, for all instances together. Bans are rows of the database here too. */
const openRedisLimiter = async (parts: Parts, url: string) => {
  const { createRedisLimiter } = await import('../limits/redis/limiter.redis.ts');
  const tallies = await loadTallies(parts);
  const { PETSTORE_REDIS_TIMEOUT_MS: timeoutMs } = parts.config;
  return createRedisLimiter({
    ...parts,
    clock: parts.limitClock,
    url,
    timeoutMs,
    tallies,
    saveBan: createSaveBan(parts),
  });
};

/**
 * Counts pages in this process alone and forgets them at its end: what it bounds is the work of this process, and a flood of
 * strangers must reach neither Redis nor the database.
 */
export const composePageLimiter = ({ clock }: Pick<Deps, 'clock'>) => {
  const nowhere = async (): Promise<void> => undefined;
  return createMemoryLimiter({ clock, tallies: new Map(), saveWindows: nowhere, saveBan: nowhere });
};

/** Tells instants by the clock that everyone else goes by. */
const tellInstants = (
  limiter: Limiter & Pick<Bans, 'bannedUntil'>,
  limitClock: MonotonicClock,
): Limiter & Pick<Bans, 'bannedUntil'> => ({
  take(subject, cost) {
    const verdict = limiter.take(subject, cost);
    if (!limitClock.isAhead()) return verdict;
    const aheadMs = limitClock.aheadMs();
    return verdict instanceof Promise
      ? verdict.then((told) => byClockBehind(told, aheadMs))
      : byClockBehind(verdict, aheadMs);
  },
  peek: async (subject) => byClockBehind(await limiter.peek(subject), limitClock.aheadMs()),
  bannedUntil(subjectId) {
    const until = limiter.bannedUntil(subjectId);
    return until === undefined ? undefined : until - limitClock.aheadMs();
  },
});

/** Where requests are counted: in this process, or in Redis for all instances. */
export const composeLimiter = async (deps: Deps) => {
  const limitClock = createMonotonicClock(deps.clock, () => performance.now());
  const parts = { ...deps, limitClock };
  const url = deps.config.REDIS_URL;
  const opening = url === undefined ? openMemoryLimiter(parts) : openRedisLimiter(parts, url);
  const readBan = createReadBan(parts, opening);
  // Whatever has changed of a key, its ban may be it.
  const stopListening = deps.keyChanges.subscribe(readBan);
  const limiter = await opening;
  return {
    ...limiter,
    ...tellInstants(limiter, limitClock),
    readBan,
    close: () => {
      stopListening();
      limiter.close();
    },
  };
};
