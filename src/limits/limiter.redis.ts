import type { Clock } from '../kernel/clock.ts';
import { createAvailability } from './availability.redis.ts';
import { connectRedis } from './connection.redis.ts';
import { createMemoryLimiter, type MemoryLimiter } from './limiter.memory.ts';
import type { Limiter } from './limiter.ts';
import type { Subject } from './policy.ts';
import { decodeReply, encodeCall, keyOf, type Remembered, SAME_BAN_MS, SCRIPT, shift } from './script.redis.ts';
import { type Ban, isLifted, supersedes, type Tally, type Verdict } from './window.ts';

/** A clock of Redis that is off by less than this is taken for ours, so that the end of a window stays one instant. */
const SAME_CLOCK_MS = 750;

/** While their subject is asked for, requests are gathered until the answer comes, but no longer than this. */
const GATHER_MS = 20;

/** What is asked on nobody's behalf writes, as a request does: a Redis without memory can still be read. */
const PROBE: Subject = { id: 'probe', windows: [{ name: 'minute', limit: 1e9, lengthMs: 60_000 }] };

type Deps = {
  /** `redis://` or `rediss://`; several, separated by commas, are a cluster. */
  url: string;
  timeoutMs: number;
  clock: Clock;
  log: Record<'warn' | 'info', (event: string, fields?: object) => void>;
  /** What the database remembers: the bans, above all. */
  tallies: Map<string, Tally>;
  saveBan(subject: Subject, ban: Ban): Promise<void>;
  /** How Redis is reached, where its script does not go by its own time. */
  connect?: typeof connectRedis;
};

export type RedisLimiter = Limiter &
  Pick<MemoryLimiter, 'bannedUntil' | 'applyBan' | 'flush'> & { isAway(): boolean; close(): void };

/** Requests of a subject, each of the same cost, that are counted in one call. */
type Batch = { subject: Subject; cost: number; takers: ((verdict: Verdict | PromiseLike<Verdict>) => void)[] };

/** The time of Redis less ours. It answered between `askedAt` and `now`: a time beyond both is that of another clock. */
const compareClocks = (redisNow: number, askedAt: number, now: number, knownMs: number): number => {
  const ours = redisNow - knownMs;
  if (askedAt - SAME_CLOCK_MS < ours && ours < now + SAME_CLOCK_MS) return knownMs;
  return Math.round((redisNow - (askedAt + now) / 2) / 1000) * 1000;
};

/**
 * A Redis whose clock was set, or that has another clock than the one before it, may not know a ban that is saved, or
 * take it for over.
 */
const keepBan = (remembered: Remembered, saved: Ban | undefined): Remembered => {
  const { tally, now } = remembered;
  if (saved && now < saved.until && (tally.ban?.bannedAt ?? 0) < saved.bannedAt - SAME_BAN_MS) tally.ban = saved;
  return remembered;
};

const nameOf = ({ subject, cost }: Pick<Batch, 'subject' | 'cost'>): string =>
  cost === 1 ? subject.id : `${subject.id} ${cost}`;

/** Gathers the requests of each subject and cost into batches, of which one at a time is under way. */
const createGathering = (judge: (batch: Batch) => Promise<void>) => {
  const gathered = new Map<string, Batch>();
  const asked = new Set<string>();
  const send = (batch: Batch): void => {
    const name = nameOf(batch);
    if (gathered.get(name) !== batch) return;
    gathered.delete(name);
    asked.add(name);
    void judge(batch).then(() => {
      asked.delete(name);
      const next = gathered.get(name);
      if (next) send(next);
    });
  };
  return (subject: Subject, cost: number): Promise<Verdict> =>
    new Promise((resolve) => {
      const name = nameOf({ subject, cost });
      const batch = gathered.get(name) ?? { subject, cost, takers: [] };
      if (batch.takers.push(resolve) > 1) return;
      gathered.set(name, batch);
      if (asked.has(name)) setTimeout(send, GATHER_MS, batch);
      else setImmediate(send, batch);
    });
};

/** The last ban of each subject that is a row of the database: Redis may have lost it. */
const createSavedBans = (tallies: ReadonlyMap<string, Tally>) => {
  const bans = new Map<string, Ban>();
  const note = (id: string, ban: Ban): void => {
    if (supersedes(ban, bans.get(id))) bans.set(id, ban);
  };
  for (const [id, { ban }] of tallies) if (ban) note(id, ban);
  return {
    note,
    get: (id: string): Ban | undefined => bans.get(id),
    forget(now: number): void {
      for (const [id, { forgottenAt }] of bans) if (forgottenAt <= now) bans.delete(id);
    },
  };
};

/**
 * The limiter of many instances: Redis counts, in one call for all requests of a subject that arrive together. While it
 * is away each instance holds the limits alone, by the memory limiter, from what it last heard.
 */
export const createRedisLimiter = async (deps: Deps): Promise<RedisLimiter> => {
  const { url, timeoutMs, clock, log, tallies, saveBan, connect = connectRedis } = deps;
  const connection = await connect(url, SCRIPT, timeoutMs);
  let aheadMs = 0;

  const savedBans = createSavedBans(tallies);
  const local = createMemoryLimiter({
    clock,
    tallies,
    saveWindows: async () => undefined,
    async saveBan(subject, ban) {
      await saveBan(subject, ban);
      savedBans.note(subject.id, ban);
    },
  });

  let awaySince = 0;
  const redis = createAvailability<string>({
    timeoutMs,
    probe: (failed) =>
      connection.run(`${keyOf(failed ?? PROBE.id)}:probe`, encodeCall(PROBE, { requests: 1, cost: 1 }, undefined)),
    onAway: (error) => {
      awaySince = performance.now();
      log.warn('redis_away', { error: connection.problem() ?? String(error) });
    },
    onBack: () => log.info('redis_back', { awayMs: Math.round(performance.now() - awaySince) }),
  });
  if (!connection.isReady()) redis.trip(undefined, new Error('not ready at the start'));

  /** Has Redis count so many requests; what it remembered before, by our clock, or nothing if it is away. */
  const count = async (subject: Subject, requests: number, cost = 1): Promise<Remembered | undefined> => {
    const askedAt = clock();
    const ban = savedBans.get(subject.id);
    const words = encodeCall(subject, { requests, cost }, ban && shift(ban, -aheadMs));
    const remembered = await redis.ask(subject.id, () => connection.run(keyOf(subject.id), words).then(decodeReply));
    if (!remembered) return undefined;
    aheadMs = compareClocks(remembered.now, askedAt, clock(), aheadMs);
    return keepBan(shift(remembered, aheadMs), ban);
  };

  /** Returns the moment by which to judge, which has to be done at once: the next answer tells of another. */
  const learn = (subject: Subject, remembered: Remembered | undefined): number => {
    if (remembered) local.learn(subject, remembered.tally, remembered.isBanToSave);
    return remembered?.now ?? clock();
  };

  const gather = createGathering(async ({ subject, cost, takers }) => {
    const now = learn(subject, await count(subject, takers.length, cost));
    for (const resolve of takers) resolve(local.take(subject, cost, now));
  });

  return {
    take: (subject, cost = 1) => (redis.isAway() ? local.take(subject, cost) : gather(subject, cost)),

    async peek(subject) {
      return local.peek(subject, learn(subject, await count(subject, 0)));
    },

    bannedUntil: local.bannedUntil,

    async applyBan(subjectId, ban) {
      savedBans.note(subjectId, ban);
      local.applyBan(subjectId, ban);
      // If it is away now, it is told with the next request of the subject.
      if (isLifted(ban)) await count({ id: subjectId, windows: [] }, 0);
    },

    async flush() {
      await local.flush();
      savedBans.forget(clock());
    },

    isAway: redis.isAway,

    close() {
      redis.stop();
      connection.close();
    },
  };
};
