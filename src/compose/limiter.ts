import type { Config } from '../config.ts';
import { explainError, type Log } from '../kernel/log.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../kernel/operation.ts';
import { banKey } from '../keys/ban-key.ts';
import { createMemoryLimiter } from '../limits/limiter.memory.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Subject } from '../limits/policy.ts';
import type { Ban } from '../limits/window.ts';
import type { Backend } from './backend.ts';

type Deps = Pick<Backend, 'database' | 'keyChanges' | 'clock'> & {
  config: Config;
  log: Log;
};

type ComposedLimiter = {
  limiter: Limiter;
  /** Writes what was counted since the last call. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

const createSaveBan =
  ({ database, keyChanges }: Deps) =>
  async (subject: Subject, ban: Ban): Promise<void> => {
    await database.write(SYSTEM_CALL, (repositories) => banKey(repositories, subject.id, ban));
    keyChanges.publish(subject.id);
  };

/** Whatever has changed of a key, its ban may be it; also while what is remembered is still being read. */
const hearOfBans = (
  { database, clock, keyChanges, log }: Deps,
  limiter: Promise<{ applyBan(subjectId: string, ban: Ban): void }>,
) =>
  keyChanges.subscribe((keyId) => {
    database
      .read(FIRST_STORE)
      .limits.findBan(keyId, clock())
      .then(async (ban) => ban && (await limiter).applyBan(keyId, ban))
      .catch((error) => log.warn('ban_not_read', { keyId, error: explainError(error) }));
  });

const loadTallies = ({ database, clock }: Deps) => database.read(FIRST_STORE).limits.load(clock());

/** Counts in this process, and keeps the counts in the database. */
const openMemoryLimiter = async (deps: Deps) => {
  const { database, clock } = deps;
  const limiter = createMemoryLimiter({
    clock,
    tallies: await loadTallies(deps),
    saveWindows: (tallies) =>
      database.write(SYSTEM_CALL, async ({ limits }) => {
        await limits.save(tallies);
        await limits.forget(clock());
      }),
    saveBan: createSaveBan(deps),
  });
  return { ...limiter, close: () => undefined };
};

/** Counts in Redis, for all instances together. Bans are rows of the database here too. */
const openRedisLimiter = async (deps: Deps, url: string) => {
  const { createRedisLimiter } = await import('../limits/limiter.redis.ts');
  const tallies = await loadTallies(deps);
  return createRedisLimiter({
    ...deps,
    url,
    timeoutMs: deps.config.PETSTORE_REDIS_TIMEOUT_MS,
    tallies,
    saveBan: createSaveBan(deps),
  });
};

/** Where requests are counted: in this process, or in Redis for all instances. */
export const composeLimiter = async (deps: Deps): Promise<ComposedLimiter> => {
  const redisUrl = deps.config.REDIS_URL;
  const opening = redisUrl === undefined ? openMemoryLimiter(deps) : openRedisLimiter(deps, redisUrl);
  const stopListening = hearOfBans(deps, opening);
  const limiter = await opening;
  return {
    limiter,
    flush: limiter.flush,
    async close() {
      stopListening();
      limiter.close();
    },
  };
};
