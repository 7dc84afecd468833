import { bindStores, type Catalogue, type Stores } from './bind-stores.ts';
import { BadConfig, type Config } from './config.ts';
import { contractsIn, TAGS } from './contract.ts';
import { ownCall } from './database/database.ts';
import { openSqlite } from './database/sqlite.ts';
import { eventOperations } from './events/operations.ts';
import { createApp } from './http/app.ts';
import { mount } from './http/mount.ts';
import { createDocument } from './http/openapi.ts';
import { createPages } from './http/pages.ts';
import { createRequestLog } from './http/request-log.ts';
import type { Clock } from './kernel/clock.ts';
import { Failure } from './kernel/failure.ts';
import type { Call, Operation } from './kernel/operation.ts';
import { createRandomText, type RandomBytes } from './kernel/random-id.ts';
import { createAuthenticate } from './keys/authenticate.ts';
import { banKey } from './keys/ban-key.ts';
import { ensureAdminKey } from './keys/ensure-admin-key.ts';
import { keyOperations } from './keys/operations.ts';
import { createMemoryLimiter } from './limits/limiter.memory.ts';
import type { Log } from './log.ts';
import { petOperations } from './pets/operations.ts';
import { fillStore } from './sandbox/fill-store.ts';
import { sandboxOperations } from './sandbox/operations.ts';
import { usageOperations } from './usage/operations.ts';
import { hourOf, KEPT_MS } from './usage/usage.ts';
import { createUsageCounter } from './usage/usage-counter.ts';

/** The version of the interface, which is also that of the program. */
export const VERSION = '1.0.0';

export type World = { clock: Clock; randomBytes: RandomBytes; log: Log };

/** Builds every part once and joins them. Nothing listens yet. */
export const compose = async (config: Config, { clock, randomBytes, log }: World) => {
  const environment = config.PETSTORE_ENVIRONMENT;
  const publicUrl = config.PETSTORE_PUBLIC_URL;
  const randomText = createRandomText(randomBytes);
  const contracts = contractsIn(environment);

  const database = openSqlite({
    path: config.DATABASE_URL.path,
    environment,
    bind: bindStores(clock, randomText),
  });

  const admin = await database
    .write(ownCall, (stores) =>
      ensureAdminKey(stores, { configured: config.PETSTORE_ADMIN_KEY, environment, randomText }),
    )
    .catch(async (error) => {
      await database.close();
      throw error instanceof Failure && error.code === 'admin_key' ? new BadConfig([error.message]) : error;
    });

  const limiter = createMemoryLimiter({
    clock,
    tallies: await database.read(1n).limits.load(clock()),
    saveWindows: (tallies) =>
      database.write(ownCall, async ({ limits }) => {
        await limits.save(tallies);
        await limits.forget(clock());
      }),
    saveBan: (subject, ban) => database.write(ownCall, (stores) => banKey(stores, subject.id, ban)),
  });

  const counter = createUsageCounter({
    clock,
    save: (batch) =>
      database.write(ownCall, async ({ usage }) => {
        await usage.add(batch);
        await usage.forget(hourOf(clock()) - KEPT_MS);
      }),
  });

  const operations: Operation<Stores>[] = [
    ...petOperations,
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
  const perform = (operation: Operation<Stores>, input: unknown, call: Call) =>
    operation.access === 'read'
      ? operation.run(database.read(call.storeId), input, call)
      : database.write(call, (stores) => operation.run(stores, input, call));

  let draining = false;
  const app = createApp({
    operations: served.map((operation) => mount(operation, perform)),
    pages: createPages({
      document: (serverUrl) => createDocument({ contracts, tags: TAGS, version: VERSION, serverUrl }),
      publicUrl,
      isReady: async () => !draining && (await database.read(1n).keys.findAdmin()) !== undefined,
    }),
    authenticate: createAuthenticate({ keys: database.read(1n).keys, environment, clock }),
    limiter,
    clock,
    deprecationClock: () => config.PETSTORE_REHEARSE_DATE ?? clock(),
    randomText,
    log: createRequestLog(log),
    countUsage: counter.count,
    trusted: config.PETSTORE_TRUST_PROXY,
    publicUrl,
  });

  return {
    app,
    /** The admin key if this start made it: to be shown once. */
    adminKey: admin.made,
    workers: [
      { name: 'save-windows', everyMs: 1000, run: limiter.flush },
      { name: 'save-usage', everyMs: 1000, run: counter.flush },
    ],
    /** From here on the service says that it is not ready, and goes on serving. */
    drain: () => {
      draining = true;
    },
    async close() {
      await limiter.flush();
      await counter.flush();
      await database.close();
    },
  };
};
