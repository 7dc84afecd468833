import type { Clock } from '../kernel/clock.ts';
import { createAsking } from './asking.redis.ts';
import { createBreaker } from './breaker.redis.ts';
import { connectRedis } from './connection.redis.ts';
import { createEntries, type Entry, newEntry, type Waiting } from './entries.redis.ts';
import { type BanDeps, createJudge } from './judge.redis.ts';
import { learnBan, nowOf, refusesHere, takeHere } from './known.redis.ts';
import type { Limiter } from './limiter.ts';
import { SCRIPT } from './script.redis.ts';
import { createRedisTime } from './time.redis.ts';
import type { Ban, Standing, Verdict } from './window.ts';

/**
 * How long a call may take; whoever waits for it is then judged at once. A request waits for one that is under way, then for
 * its own. The longer, the rarer a slow Redis is taken for one that is gone, and the limit exceeded.
 */
const PATIENCE_MS = 40;
/** How often Redis is told of what was judged here. */
const REPORT_EVERY_MS = 500;
/** So many subjects are reported at once: more would keep requests waiting. */
const REPORTED_AT_ONCE = 100;

type Deps = BanDeps & {
  /** `redis://` or `rediss://`; several, separated by commas, are a cluster. */
  url: string;
  clock: Clock;
  log: Record<'warn' | 'info', (event: string, fields?: object) => void>;
  patienceMs?: number;
};

export type RedisLimiter = Limiter & {
  /** A ban that another instance has saved. */
  applyBan(subjectId: string, ban: Ban): void;
  /** What is known of the subject may have changed elsewhere: Redis is asked next time. */
  forget(subjectId: string): void;
  /** Tells Redis what it has not been told, and leaves. */
  close(): Promise<void>;
};

/**
 * The limiter of many instances: Redis counts, in one call for all requests of a subject that wait together. What it is
 * certain to refuse is refused here, and reported a little later. While Redis is away each instance holds the limits
 * alone, from what it last knew, and tells Redis what it admitted when that is back.
 */
export const createRedisLimiter = async (deps: Deps): Promise<RedisLimiter> => {
  const { log, patienceMs = PATIENCE_MS } = deps;
  const connection = await connectRedis(deps.url, SCRIPT);
  const time = createRedisTime(deps.clock);
  const entries = createEntries(time.aheadMs);
  const judge = createJudge({ ...deps, entries, time });

  let lastFailed = newEntry({ id: 'probe', windows: [] }, time.aheadMs());
  let awaySince = 0;
  const breaker = createBreaker({
    // What failed last must work again: of a cluster, a part may be away.
    probe: async () => !lastFailed.isAsking && ask(lastFailed),
    onAway: (error) => {
      awaySince = performance.now();
      log.warn('redis_away', { error: connection.problem() ?? String(error) });
    },
    onBack: () => {
      log.info('redis_back', { awayMs: Math.round(performance.now() - awaySince) });
      void report();
    },
  });
  const ask = createAsking({
    connection,
    entries,
    judge,
    time,
    patienceMs,
    onAnswer: breaker.succeed,
    onFailure: (entry, error) => {
      lastFailed = entry;
      breaker.fail(error);
    },
  });

  let reporting: Promise<void> | undefined;
  const reportAll = async (): Promise<void> => {
    const due = entries.owing();
    while (due.length > 0 && !breaker.isAway()) {
      const some = due.splice(0, REPORTED_AT_ONCE).filter(({ isAsking }) => !isAsking);
      await Promise.all(some.map(ask));
    }
  };
  const report = async (): Promise<void> => {
    reporting ??= reportAll().finally(() => {
      reporting = undefined;
    });
    await reporting;
  };
  const reporter = setInterval(report, REPORT_EVERY_MS);

  const wait = (entry: Entry, waiting: Waiting): void => {
    if (breaker.isAway() || entry.isOverdue) {
      void judge.judgeHere(entry, [waiting]);
      return;
    }
    entry.waiting.push(waiting);
    if (!entry.isAsking) void ask(entry);
  };

  if (!connection.isReady()) breaker.trip(new Error('not ready at the start'));

  return {
    take(subject) {
      const entry = entries.of(subject);
      const { known } = entry;
      const now = nowOf(known);
      if (entry.isStale || !refusesHere(known, subject, now)) {
        return new Promise<Verdict>((resolve, reject) => wait(entry, { counts: true, resolve, reject }));
      }
      const verdict = takeHere(known, subject, now);
      entries.noteDebts(entry);
      return Promise.resolve(time.shown(verdict));
    },

    look(subject) {
      const entry = entries.of(subject);
      return new Promise<Standing>((resolve, reject) => wait(entry, { counts: false, resolve, reject }));
    },

    applyBan(subjectId, ban) {
      const entry = entries.find(subjectId);
      if (entry) learnBan(entry.known, ban);
    },

    forget(subjectId) {
      const entry = entries.find(subjectId);
      if (entry) entry.isStale = true;
    },

    async close() {
      clearInterval(reporter);
      await report();
      breaker.stop();
      connection.close();
    },
  };
};
