import { explainError, type Log } from '../kernel/log.ts';
import type { Clock } from '../kernel/runtime.ts';
import { createMemoryLimiter } from './limiter.memory.ts';
import type { Bans, Limiter } from './limiter.ts';
import type { LimitReads } from './limits.repository.ts';
import type { RedisAddress } from './redis/address.ts';
import { type Ban, createMonotonicClock, lastBeginning, type Subject, type Tally, type Verdict } from './window.ts';

type Deps = {
  clock: Clock;
  log: Log;
  redis: { address: RedisAddress; timeoutMs: number } | undefined;
  onKeyChange(listener: (keyId: string) => void): () => void;
  limits: LimitReads;
  saveWindows(tallies: ReadonlyMap<string, Tally>, now: number): Promise<void>;
  saveBan(keyId: string, ban: Ban, shownUntil: number): Promise<void>;
};

/** @internal */
export const byClockBehind = (seen: Verdict, behindMs: number): Verdict => {
  if (behindMs === 0) return seen;
  const { windows, refused } = seen;
  return {
    ...seen,
    windows: windows.map((window) => ({ ...window, resetAt: window.resetAt - behindMs })),
    ...(refused && { refused: { ...refused, until: refused.until - behindMs } }),
  };
};

/** The rate limiter's own clock never goes backwards. Times shown to callers follow the system clock, `clock`. */
export const openLimiter = async (deps: Deps) => {
  const { clock, log, redis, limits } = deps;
  const limitClock = createMonotonicClock(clock, () => performance.now());
  const saveBan = ({ id }: Subject, ban: Ban) => deps.saveBan(id, ban, ban.until - limitClock.aheadMs());

  const open = async () => {
    const tallies = await limits.load(clock());
    limitClock.advanceTo(lastBeginning(tallies));
    if (redis) {
      const { createRedisLimiter } = await import('./redis/limiter.redis.ts');
      return createRedisLimiter({ ...redis, clock: limitClock.now, log, tallies, saveBan });
    }
    const saveWindows = (changed: ReadonlyMap<string, Tally>) => deps.saveWindows(changed, limitClock.now());
    const limiter = createMemoryLimiter({ clock: limitClock.now, tallies, saveWindows, saveBan });
    return { ...limiter, isAway: undefined, noteWrite: undefined, close: () => undefined };
  };

  const opening = open();
  const readBan = async (keyId: string): Promise<void> => {
    try {
      const ban = await limits.findBan(keyId, clock());
      if (!ban) return;
      limitClock.advanceTo(ban.bannedAt);
      await (await opening).applyBan(keyId, ban);
    } catch (error) {
      log.warn('ban_not_read', { keyId, error: explainError(error) });
    }
  };
  // Subscribes before the limiter is ready, so that a ban that begins in the meantime is not missed. Any change to a
  // key may be a ban, so every change causes a read.
  const unsubscribe = deps.onKeyChange(readBan);
  const limiter = await opening;

  return {
    ...limiter,
    take(subject: Subject, cost?: number) {
      const verdict = limiter.take(subject, cost);
      if (!limitClock.isAhead) return verdict;
      const shown = (one: Verdict) => byClockBehind(one, limitClock.aheadMs());
      return verdict instanceof Promise ? verdict.then(shown) : shown(verdict);
    },
    peek: async (subject: Subject) => byClockBehind(await limiter.peek(subject), limitClock.aheadMs()),
    bannedUntil(keyId: string) {
      const until = limiter.bannedUntil(keyId);
      return until === undefined ? undefined : until - limitClock.aheadMs();
    },
    readBan,
    close() {
      unsubscribe();
      limiter.close();
    },
  } satisfies Limiter & Bans & Record<string, unknown>;
};

/** Counts page requests only in memory: a flood of requests without keys must not reach Redis or the database. */
export const createPageLimiter = (clock: Clock) => {
  const discard = async (): Promise<void> => undefined;
  return createMemoryLimiter({ clock, tallies: new Map(), saveWindows: discard, saveBan: discard });
};
