import { BadConfig, type Config } from '../config.ts';
import { contractsIn, SENT, TAGS } from '../contract.ts';
import { createApp } from '../http/app.ts';
import { mount } from '../http/mount.ts';
import { createOverload } from '../http/overload.ts';
import { createPageCache } from '../http/page-cache.ts';
import { createPages } from '../http/pages.ts';
import { createRequestLog } from '../http/request-log.ts';
import { ANSWER_KEPT_MS } from '../idempotency/run-once.ts';
import type { Clock } from '../kernel/clock.ts';
import { explainError, type Log } from '../kernel/log.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../kernel/operation.ts';
import { createRandomText, type RandomBytes, type RandomText } from '../kernel/random-id.ts';
import { createAuthenticate } from '../keys/authenticate-key.ts';
import { ensureAdminKey } from '../keys/ensure-admin-key.ts';
import { createKeyCache } from '../keys/key-cache.memory.ts';
import { expireOrders } from '../orders/expire-orders.ts';
import { createUsageCounter } from '../usage/counter.ts';
import { hourOf, USAGE_KEPT_MS } from '../usage/usage.ts';
import { VERSION } from '../version.ts';
import { forgetEvents } from '../webhooks/forget-events.ts';
import type { Send } from '../webhooks/send.ts';
import type { Backend, BackendDeps } from './backend.ts';
import { composeLimiter } from './limiter.ts';
import { createOperations } from './operations.ts';
import { createRunOperation } from './run-operation.ts';
import { startLate } from './start-late.ts';

export type World = {
  randomBytes: RandomBytes;
  log: Log;
  /** The time, where it is not that of the machine which keeps the data. */
  clock?: Clock;
  /** How webhooks are sent, where it is not over the network as it is. */
  send?: Send;
  /** So many transactions may wait for their commit; with more, requests are refused at once. */
  mostWaiting?: number;
};

const MOST_WAITING = 4000;

/** Loads only the engine that is used: the drivers of the others would make every start slower. */
const openBackend = async (place: Config['DATABASE_URL'], deps: BackendDeps): Promise<Backend> => {
  if (place.engine === 'sqlite') return (await import('./backend.sqlite.ts')).openSqliteBackend(place.path, deps);
  return (await import('./backend.postgres.ts')).openPostgresBackend(place.url, deps);
};

/** Builds every part once and joins them. Nothing listens yet. */
export const compose = async (config: Config, world: World) => {
  const randomText = createRandomText(world.randomBytes);
  const ground = await openBackend(config.DATABASE_URL, {
    environment: config.PETSTORE_ENVIRONMENT,
    randomText,
    log: world.log,
    clock: world.clock,
    countsTogether: config.REDIS_URL !== undefined,
  });
  try {
    return await composeOn({ ...world, ...ground, randomText }, config);
  } catch (error) {
    await ground.close();
    throw error;
  }
};

type Parts = World & Backend & { randomText: RandomText };

const composeOn = async (parts: Parts, config: Config) => {
  const { database, keyChanges, arrivals, randomText, clock, log, leaderOnly } = parts;
  const environment = config.PETSTORE_ENVIRONMENT;
  const publicUrl = config.PETSTORE_PUBLIC_URL;
  const contracts = contractsIn(environment);
  const allowPrivate = config.PETSTORE_WEBHOOK_ALLOW_PRIVATE;

  const admin = await database.write(SYSTEM_CALL, (repositories) =>
    ensureAdminKey(repositories, { configured: config.PETSTORE_ADMIN_KEY, environment, randomText }),
  );
  if (admin.takenBy) throw new BadConfig([`PETSTORE_ADMIN_KEY is already the secret of ${admin.takenBy}`]);

  const { limiter, ...counts } = await composeLimiter({
    ...parts,
    redisUrl: config.REDIS_URL,
    redisTimeoutMs: config.PETSTORE_REDIS_TIMEOUT_MS,
  });

  const counter = createUsageCounter({
    clock,
    save: (batch) =>
      database.write(SYSTEM_CALL, async ({ usage }) => {
        await usage.add(batch);
        await usage.forget(hourOf(clock()) - USAGE_KEPT_MS);
      }),
  });

  const stopListeners = new Set<() => void>();
  const onStop = (listener: () => void) => {
    stopListeners.add(listener);
    return () => stopListeners.delete(listener);
  };

  const operations = createOperations({ ...parts, config, limiter, counter, onStop });
  const perform = createRunOperation(database);
  const pageCache = database.commits && createPageCache(database.commits);

  let draining = false;
  let document: Promise<object> | undefined;
  /** Made for the first who asks; if it cannot be, for the next. */
  const makeDocument = async (serverUrl: string): Promise<object> => {
    try {
      const { createDocument } = await import('../http/openapi.ts');
      return createDocument({ contracts, tags: TAGS, sent: SENT, version: VERSION, serverUrl });
    } catch (error) {
      document = undefined;
      throw error;
    }
  };
  const app = createApp({
    operations: operations.map((operation) => mount(operation.contract, perform(operation), pageCache)),
    pages: createPages({
      document: async (serverUrl) => {
        document ??= makeDocument(serverUrl);
        return { ...(await document), servers: [{ url: serverUrl }] };
      },
      publicUrl,
      isReady: async () =>
        !draining && database.canWrite() && (await database.read(FIRST_STORE).keys.findAdmin()) !== undefined,
    }),
    authenticate: createAuthenticate({
      keys: createKeyCache({ keys: database.read(FIRST_STORE).keys, changes: keyChanges }),
      environment,
      clock,
    }),
    limiter,
    clock,
    deprecationClock: () => config.PETSTORE_REHEARSE_DATE ?? clock(),
    randomText,
    log: createRequestLog(log),
    countUsage: counter.count,
    trusted: config.PETSTORE_TRUST_PROXY,
    isDraining: () => draining,
    isOverloaded: createOverload({
      waiting: database.waiting,
      waitedMs: database.waitedMs,
      mostWaiting: parts.mostWaiting ?? MOST_WAITING,
      elapsed: () => performance.now(),
      nextTurn: setImmediate,
    }),
    publicUrl,
  });

  const makeDispatcher = async () => {
    const [{ composeWebhooks }, { createSend }] = await Promise.all([
      import('./webhooks.ts'),
      import('../webhooks/send.ts'),
    ]);
    return composeWebhooks({ ...parts, send: parts.send ?? createSend({ allowPrivate, clock }), random: Math.random });
  };
  const dispatcher = startLate(makeDispatcher, (error) =>
    log.error('job_failed', { job: 'webhooks', error: explainError(error) }),
  );
  const stopDispatching = arrivals.subscribeToAll(dispatcher.wake);

  const savers = [
    { name: 'save-windows', everyMs: 1000, run: counts.flush },
    { name: 'save-usage', everyMs: 1000, run: counter.flush },
  ];
  const jobs = [
    ...savers,
    ...parts.jobs,
    { name: 'send-webhooks', everyMs: 1000, run: async () => dispatcher.wake() },
    leaderOnly({
      name: 'expire-orders',
      everyMs: 1000,
      run: expireOrders({
        now: clock,
        due: database.read(FIRST_STORE).dueOrders,
        write: (storeId, body) => database.write({ ...SYSTEM_CALL, storeId }, body),
      }),
    }),
    leaderOnly({
      name: 'forget-events',
      everyMs: 60_000,
      run: forgetEvents({
        before: () => clock() - config.PETSTORE_EVENT_DAYS * 86_400_000,
        oldest: database.read(FIRST_STORE).oldEvents,
        write: (storeId, body) => database.write({ ...SYSTEM_CALL, storeId }, body),
      }),
    }),
    leaderOnly({
      name: 'forget-answers',
      everyMs: 10_000,
      run: async () => {
        const forgetSome = () =>
          database.write(SYSTEM_CALL, ({ keptAnswers }) => keptAnswers.forget(clock() - ANSWER_KEPT_MS, 1000));
        while ((await forgetSome()) === 1000);
      },
    }),
  ];

  return {
    app,
    /** The admin key if this start made it: to be shown once. */
    adminKey: admin.made,
    jobs,
    /** From here on the service says that it is not ready, and goes on serving. */
    drain: () => {
      draining = true;
      for (const listener of stopListeners) listener();
    },
    async close() {
      stopDispatching();
      // Statistics that cannot be written must not keep the database from being closed.
      const saved = savers.map(({ name, run }) =>
        run().catch((error) => log.error('job_failed', { job: name, error: explainError(error) })),
      );
      await Promise.all([dispatcher.stop(), ...saved, counts.close()]);
      await parts.close();
    },
  };
};
