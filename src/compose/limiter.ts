import type { Config } from '../config.ts';
import { explainError, type Log } from '../kernel/log.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../kernel/operation.ts';
import { banKey } from '../keys/ban-key.ts';
import { createMemoryLimiter } from '../limits/limiter.memory.ts';
import type { Subject } from '../limits/policy.ts';
import type { Ban } from '../limits/window.ts';
import type { Backend } from './backend.ts';

type Deps = Pick<Backend, 'database' | 'keyChanges' | 'clock'> & {
  config: Config;
  log: Log;
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
  const { PETSTORE_REDIS_TIMEOUT_MS: timeoutMs } = deps.config;
  return createRedisLimiter({ ...deps, url, timeoutMs, tallies, saveBan: createSaveBan(deps) });
};

/**
 * Counts pages in this process alone and forgets them at its end: what it bounds is the work of this process, and a flood of
 * strangers must reach neither Redis nor the database.
 */
export const composePageLimiter = ({ clock }: Pick<Deps, 'clock'>) => {
  const nowhere = async (): Promise<void> => undefined;
  return createMemoryLimiter({ clock, tallies: new Map(), saveWindows: nowhere, saveBan: nowhere });
};

/** Where requests are counted: in this process, or in Redis for all instances. */
export const composeLimiter = async (deps: Deps) => {
  const url = deps.config.REDIS_URL;
  const opening = url === undefined ? openMemoryLimiter(deps) : openRedisLimiter(deps, url);
  const stopListening = hearOfBans(deps, opening);
  const limiter = await opening;
  return {
    ...limiter,
    close: () => {
      stopListening();
      limiter.close();
    },
  };
};
