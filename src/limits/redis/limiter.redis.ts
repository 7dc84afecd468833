import type { Clock, MaybePromise } from '../../kernel/runtime.ts';
import { createMemoryLimiter } from '../limiter.memory.ts';
import { type Ban, isLifted, type Subject, supersedes, type Tally, type Verdict } from '../window.ts';
import type { RedisAddress } from './address.ts';
import { createAvailability } from './availability.redis.ts';
import { connectRedis } from './connection.redis.ts';
import { decodeReply, encodeCall, keyOf, SAME_BAN_MS, SCRIPT, shift } from './script.redis.ts';

// Shifts of Redis's clock by less than this many ms are ignored, so that each window ends when the limiter said it
// would.
const SAME_CLOCK_MS = 750;

const GATHER_MS = 20;

/** The probe must write, so it counts a request. A read would succeed even if Redis had no memory left for writes. */
const PROBE: Subject = { id: 'probe', windows: [{ name: 'minute', limit: 1e9, lengthMs: 60_000 }] };

type Deps = {
  address: RedisAddress;
  timeoutMs: number;
  clock: Clock;
  log: Record<'warn' | 'info', (event: string, fields?: object) => void>;
  tallies: Map<string, Tally>;
  saveBan(subject: Subject, ban: Ban): Promise<void>;
  connect?: typeof connectRedis;
};

type Batch = { subject: Subject; takers: ((verdict: Verdict | PromiseLike<Verdict>) => void)[] };

// Returns how many ms Redis's clock is ahead of ours. While the previous result, `knownMs`, is still plausible, it is
// returned unchanged.
const compareClocks = (redisNow: number, askedAt: number, now: number, knownMs: number): number => {
  const ours = redisNow - knownMs;
  if (askedAt - SAME_CLOCK_MS < ours && ours < now + SAME_CLOCK_MS) return knownMs;
  return Math.round((redisNow - (askedAt + now) / 2) / 1000) * 1000;
};

const createGathering = (judge: (batch: Batch) => Promise<void>) => {
  const gathered = new Map<string, Batch>();
  const asked = new Set<string>();
  const send = async (batch: Batch | undefined): Promise<void> => {
    if (!batch || gathered.get(batch.subject.id) !== batch) return;
    const { id } = batch.subject;
    gathered.delete(id);
    asked.add(id);
    await judge(batch);
    asked.delete(id);
    void send(gathered.get(id));
  };
  return (subject: Subject): Promise<Verdict> =>
    new Promise((resolve) => {
      const batch = gathered.get(subject.id) ?? { subject, takers: [] };
      if (subject.mayWrite) batch.subject = subject;
      if (batch.takers.push(resolve) > 1) return;
      gathered.set(subject.id, batch);
      if (asked.has(subject.id)) setTimeout(send, GATHER_MS, batch);
      else setImmediate(send, batch);
    });
};

const openRedis = async ({ address, timeoutMs, log, connect = connectRedis }: Deps) => {
  const connection = await connect(address, SCRIPT, timeoutMs);
  let awaySince = 0;
  let backAt = performance.now();
  const { isAway, ask, trip, stop } = createAvailability({
    timeoutMs,
    probe: (failed) => connection.run(`${keyOf(failed ?? PROBE.id)}:probe`, encodeCall(PROBE, 1, 1)),
    onAway: (error) => {
      awaySince = performance.now();
      log.warn('redis_away', { error: connection.problem() ?? String(error) });
    },
    onBack: () => {
      backAt = performance.now();
      log.info('redis_back', { awayMs: Math.round(backAt - awaySince) });
    },
  });
  if (!connection.isReady()) trip(undefined, new Error('not ready at startup'));
  return {
    isAway,
    backAt: () => backAt,
    run: (id: string, words: string[]) => ask(id, () => connection.run(keyOf(id), words).then(decodeReply)),
    close() {
      stop();
      connection.close();
    },
  };
};

const withWrite = (verdict: MaybePromise<Verdict>, sinceWriteMs: number | undefined): MaybePromise<Verdict> => {
  if (sinceWriteMs !== undefined && !(verdict instanceof Promise)) verdict.sinceWriteMs = sinceWriteMs;
  return verdict;
};

/** While Redis is unavailable, each instance counts in memory, starting from the counts in Redis's last reply. */
export const createRedisLimiter = async (deps: Deps) => {
  const { clock, tallies, saveBan } = deps;
  const { isAway, backAt, run, close } = await openRedis(deps);
  let aheadMs = 0;
  let clockChangedAt = 0;

  const savedBans = new Map<string, Ban>();
  const noteSaved = (id: string, ban: Ban): void => {
    if (supersedes(ban, savedBans.get(id))) savedBans.set(id, ban);
  };
  for (const [id, { ban }] of tallies) if (ban) noteSaved(id, ban);
  const local = createMemoryLimiter({
    clock,
    tallies,
    saveWindows: async () => undefined,
    async saveBan(subject, ban) {
      await saveBan(subject, ban);
      noteSaved(subject.id, ban);
    },
  });

  /** `judge` must run before Redis's next reply arrives, because each reply replaces the counts. */
  const count = async <Judged>(
    subject: Subject,
    requests: number,
    cost: number,
    judge: (now?: number, sinceWriteMs?: number) => MaybePromise<Judged>,
  ): Promise<Judged> => {
    const askedAt = clock();
    const saved = savedBans.get(subject.id);
    const answer = await run(subject.id, encodeCall(subject, requests, cost, saved && shift(saved, -aheadMs)));
    if (!answer) return judge();
    const knownMs = aheadMs;
    aheadMs = compareClocks(answer.now, askedAt, clock(), knownMs);
    if (aheadMs !== knownMs) clockChangedAt = performance.now();
    const { now, wroteAt, tally, isBanToSave } = shift(answer, aheadMs);
    // Redis may not know about the saved ban if its clock was changed or if another Redis server took over.
    if (saved && now < saved.until && (tally.ban?.bannedAt ?? 0) < saved.bannedAt - SAME_BAN_MS) tally.ban = saved;
    local.learn(subject, tally, isBanToSave);
    // After a Redis outage or a change to Redis's clock, Redis may not know the true time of the last write. Therefore,
    // a write is assumed to have happened when the outage ended or the clock changed.
    return judge(now, Math.min(now - wroteAt, performance.now() - Math.max(backAt(), clockChangedAt)));
  };

  const gather = createGathering(({ subject, takers }) =>
    count(subject, takers.length, 1, (now, sinceWriteMs) => {
      for (const resolve of takers) resolve(withWrite(local.take(subject, 1, now), sinceWriteMs));
    }),
  );

  return {
    take(subject: Subject, cost = 1): MaybePromise<Verdict> {
      if (isAway()) return local.take(subject, cost);
      if (cost === 1) return gather(subject);
      return count(subject, 1, cost, (now, ms) => withWrite(local.take(subject, cost, now), ms));
    },

    noteWrite: (id: string) => count({ id, windows: [], mayWrite: true }, 0, 1, (now) => now !== undefined),

    peek: (subject: Subject) => count(subject, 0, 1, (now) => local.peek(subject, now)),

    bannedUntil: local.bannedUntil,

    async applyBan(subjectId: string, ban: Ban): Promise<void> {
      noteSaved(subjectId, ban);
      local.applyBan(subjectId, ban);
      if (isLifted(ban)) await count({ id: subjectId, windows: [] }, 0, 1, () => undefined);
    },

    async flush(): Promise<void> {
      await local.flush();
      for (const [id, { forgottenAt }] of savedBans) if (forgottenAt <= clock()) savedBans.delete(id);
    },

    isAway,
    close,
  };
};
