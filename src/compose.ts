import { bindStores, type Catalogue, type Reads, type Stores } from './bind-stores.ts';
import { categoryOperations } from './categories/operations.ts';
import { BadConfig, type Config } from './config.ts';
import { contractsIn, TAGS } from './contract.ts';
import type { Database } from './database/database.ts';
import { openSqlite } from './database/sqlite.ts';
import { eventOperations } from './events/operations.ts';
import { createApp } from './http/app.ts';
import { mount } from './http/mount.ts';
import { createDocument } from './http/openapi.ts';
import { createPages } from './http/pages.ts';
import { createRequestLog } from './http/request-log.ts';
import { KEPT_MS as KEPT_ANSWERS_MS } from './idempotency/perform-once.ts';
import type { Clock } from './kernel/clock.ts';
import { createLocalKeyChanges, type KeyChanges } from './kernel/key-changes.ts';
import { FIRST_STORE, type Operation, OWN_CALL } from './kernel/operation.ts';
import { createRandomText, type RandomBytes, type RandomText } from './kernel/random-id.ts';
import { createAuthenticate } from './keys/authenticate-key.ts';
import { banKey } from './keys/ban-key.ts';
import { ensureAdminKey } from './keys/ensure-admin-key.ts';
import { createOpenedKeys } from './keys/opened-keys.memory.ts';
import { keyOperations } from './keys/operations.ts';
import { createMemoryLimiter } from './limits/limiter.memory.ts';
import { explainError, type Log } from './log.ts';
import { expireOrders } from './orders/expire-orders.ts';
import { orderOperations } from './orders/operations.ts';
import { createPerform } from './perform.ts';
import { petOperations } from './pets/operations.ts';
import { fillStore } from './sandbox/fill-store.ts';
import { sandboxOperations } from './sandbox/operations.ts';
import { createUsageCounter } from './usage/counter.ts';
import { usageOperations } from './usage/operations.ts';
import { hourOf, KEPT_MS } from './usage/usage.ts';
import { VERSION } from './version.ts';

export type World = { clock: Clock; randomBytes: RandomBytes; log: Log };

/** Builds every part once and joins them. Nothing listens yet. */
export const compose = async (config: Config, world: World) => {
  const randomText = createRandomText(world.randomBytes);
  const keyChanges = createLocalKeyChanges();
  const database = openSqlite<Reads, Stores>({
    path: config.DATABASE_URL.path,
    environment: config.PETSTORE_ENVIRONMENT,
    bind: bindStores(world.clock, randomText, keyChanges),
  });
  try {
    return await composeOn({ database, keyChanges, randomText, ...world }, config);
  } catch (error) {
    await database.close();
    throw error;
  }
};

type Parts = World & { database: Database<Reads, Stores>; keyChanges: KeyChanges; randomText: RandomText };

const composeOn = async ({ database, keyChanges, randomText, clock, log }: Parts, config: Config) => {
  const environment = config.PETSTORE_ENVIRONMENT;
  const publicUrl = config.PETSTORE_PUBLIC_URL;
  const contracts = contractsIn(environment);

  const admin = await database.write(OWN_CALL, (stores) =>
    ensureAdminKey(stores, { configured: config.PETSTORE_ADMIN_KEY, environment, randomText }),
  );
  if (admin.takenBy) throw new BadConfig([`PETSTORE_ADMIN_KEY is already the secret of ${admin.takenBy}`]);

  const limiter = createMemoryLimiter({
    clock,
    tallies: await database.read(FIRST_STORE).limits.load(clock()),
    saveWindows: (tallies) =>
      database.write(OWN_CALL, async ({ limits }) => {
        await limits.save(tallies);
        await limits.forget(clock());
      }),
    saveBan: (subject, ban) => database.write(OWN_CALL, (stores) => banKey(stores, subject.id, ban)),
  });

  const counter = createUsageCounter({
    clock,
    save: (batch) =>
      database.write(OWN_CALL, async ({ usage }) => {
        await usage.add(batch);
        await usage.forget(hourOf(clock()) - KEPT_MS);
      }),
  });

  const operations: Operation<Reads, Stores>[] = [
    ...petOperations,
    ...categoryOperations,
    ...orderOperations({ holdMs: config.PETSTORE_ORDER_HOLD_SECONDS * 1000 }),
    ...keyOperations({
      environment,
      randomText,
      furnish: environment === 'staging' ? fillStore : async (_catalogue: Catalogue) => undefined,
    }),
    ...usageOperations({ limiter, counter, contracts }),
    ...eventOperations,
    ...sandboxOperations,
  ];
  const served = operations.filter(({ contract }) => contracts.includes(contract));
  const perform = createPerform(database);

  let draining = false;
  let document: ReturnType<typeof createDocument> | undefined;
  const app = createApp({
    operations: served.map((operation) => mount(operation.contract, perform(operation))),
    pages: createPages({
      document: (serverUrl) => {
        document ??= createDocument({ contracts, tags: TAGS, version: VERSION, serverUrl });
        return { ...document, servers: [{ url: serverUrl }] };
      },
      publicUrl,
      isReady: async () => !draining && (await database.read(FIRST_STORE).keys.findAdmin()) !== undefined,
    }),
    authenticate: createAuthenticate({
      findKey: createOpenedKeys({ keys: database.read(FIRST_STORE).keys, changes: keyChanges }),
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
    publicUrl,
  });

  const workers = [
    { name: 'save-windows', everyMs: 1000, run: limiter.flush },
    { name: 'save-usage', everyMs: 1000, run: counter.flush },
    {
      name: 'expire-orders',
      everyMs: 1000,
      run: expireOrders({
        now: clock,
        due: database.read(FIRST_STORE).dueOrders,
        write: (storeId, body) => database.write({ ...OWN_CALL, storeId }, body),
      }),
    },
    {
      name: 'forget-answers',
      everyMs: 10_000,
      run: async () => {
        await database.write(OWN_CALL, ({ keptAnswers }) => keptAnswers.forget(clock() - KEPT_ANSWERS_MS, 1000));
      },
    },
  ];

  return {
    app,
    /** The admin key if this start made it: to be shown once. */
    adminKey: admin.made,
    workers,
    /** From here on the service says that it is not ready, and goes on serving. */
    drain: () => {
      draining = true;
    },
    async close() {
      // Statistics that cannot be written must not keep the file from being closed.
      for (const { name, run } of workers) {
        await run().catch((error) => log.error('worker_failed', { worker: name, error: explainError(error) }));
      }
      await database.close();
    },
  };
};
