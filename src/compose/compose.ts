import { banKey } from '../auth/ban-key.ts';
import { ensureAdminKey } from '../auth/ensure-admin-key.ts';
import { BadConfig, type Config } from '../config.ts';
import { createSend, type Send } from '../delivery/send.ts';
import type { App } from '../http/app.ts';
import { createMetricsApp } from '../http/observe/metrics-page.ts';
import type { Spans } from '../http/observe/spans.ts';
import { Failure } from '../kernel/failure.ts';
import { createRandomText, type RandomBytes } from '../kernel/ids.ts';
import { runJob } from '../kernel/job.ts';
import { createMetrics } from '../kernel/metrics.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../kernel/operation.ts';
import { createClockGuard, elapsed, type MaybePromise, sleep, systemClock } from '../kernel/runtime.ts';
import { formatInstant } from '../kernel/schema.ts';
import { createPageLimiter, openLimiter } from '../limits/open-limiter.ts';
import { createBackups, type MakeBackup } from '../resources/health/backups.ts';
import { createHealthSeries } from '../resources/health/series.ts';
import type { ServiceFacts } from '../resources/health/service.ts';
import { issueKey } from '../resources/keys/create-key.ts';
import { limitsOf, PLAIN_SCOPES } from '../resources/keys/key.ts';
import { makeSecret } from '../resources/keys/secret.ts';
import { createResets, type Resets } from '../resources/sandbox/finish-resets.ts';
import { createUsageCounter } from '../resources/usage/counter.ts';
import { createHub, DESCRIPTORS_WANTED, streamsWith } from '../streaming/hub.ts';
import { createStreamQueue } from '../streaming/queue.ts';
import { COMMIT, VERSION } from '../version.ts';
import { composeApp } from './app.ts';
import { composeWebhooks, createJobs } from './jobs.ts';
import { addMetrics } from './metrics.ts';
import { type Backend, type BackendDeps, type Repositories, writeInStore } from './repositories.ts';

export type World = Omit<BackendDeps, 'config' | 'randomText' | 'metrics'> & {
  randomBytes: RandomBytes;
  fileDescriptors?: number | undefined;
  /**
   * Called before the admin key is created. The key is shown only once, so a service that fails to start must not
   * create it.
   */
  listen?: (app: App, metricsApp: App) => Promise<void>;
  send?: Send;
  backUp?: MakeBackup | undefined;
};

type Parts = World & BackendDeps & Backend;

/** @internal */
export const createDrain = () => {
  const listeners = new Set<() => void>();
  const drain = {
    hasBegun: false,
    onStop: (listener: () => void) => {
      if (drain.hasBegun) listener();
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin: () => {
      drain.hasBegun = true;
      for (const listener of listeners) listener();
    },
  };
  return drain;
};

/** @internal */
export const composeStreams = ({ log, fileDescriptors = Infinity }: Pick<Parts, 'log' | 'fileDescriptors'>) => {
  const most = streamsWith(fileDescriptors);
  if (fileDescriptors < DESCRIPTORS_WANTED) {
    log.warn('few_file_descriptors', {
      limit: fileDescriptors,
      advice: `only ${most} event streams can be open; raise the limit on open files (ulimit -n) to ${DESCRIPTORS_WANTED} or more`,
    });
  }
  return { hub: createHub(most), streamQueue: createStreamQueue({ log }) };
};

type Write = (body: (repositories: Repositories) => MaybePromise<void>) => Promise<void>;

const composeLimiter = ({ config, database, clock, keyChanges, log }: Parts, record: Write) =>
  openLimiter({
    clock,
    log,
    onKeyChange: keyChanges.subscribe,
    redis: config.REDIS_URL ? { address: config.REDIS_URL, timeoutMs: config.PETSTORE_REDIS_TIMEOUT_MS } : undefined,
    limits: database.read(FIRST_STORE).limits,
    saveWindows: (tallies, now) =>
      record(async ({ limits }) => {
        await limits.save(tallies);
        await limits.forget(now);
      }),
    async saveBan(keyId, ban, shownUntil) {
      await record((repositories) => banKey(repositories, keyId, ban, shownUntil));
      keyChanges.publish(keyId);
    },
  });

const composeSpans = async ({ config, log }: Parts): Promise<Spans | undefined> => {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const { createSpans } = await import('../http/observe/spans.ts');
  const headers = config.OTEL_EXPORTER_OTLP_HEADERS ?? {};
  // Spans use the wall clock, because collectors combine spans from several programs.
  return createSpans({ endpoint, headers, version: VERSION, clock: systemClock, later: setTimeout, log });
};

/** How long a starting instance waits while another instance creates the admin key. */
const ADMIN_KEY_MS = 60_000;
const PAUSE_MS = 500;

const prepareAdminKey = async ({ database, config, randomText }: Parts) => {
  const wanted = { configured: config.PETSTORE_ADMIN_KEY, environment: config.PETSTORE_ENVIRONMENT, randomText };
  const until = config.DATABASE_URL.engine === 'postgres' ? elapsed() + ADMIN_KEY_MS : 0;
  const ensure = (): ReturnType<typeof ensureAdminKey> =>
    database
      .write(SYSTEM_CALL, (repositories) => ensureAdminKey(repositories, wanted))
      .catch(async (error) => {
        if (!(error instanceof Failure && error.code === 'unavailable') || elapsed() > until) throw error;
        await sleep(PAUSE_MS);
        return ensure();
      });
  const { takenBy, made: adminKey, isNew = false } = await ensure();
  if (takenBy)
    throw new BadConfig([`PETSTORE_ADMIN_KEY is the secret of an existing key (${takenBy}); set a different value`]);
  return { adminKey, isNew };
};

/** Maximum number of rows that one transaction removes. Other writers wait while the transaction runs. */
const REMOVED_PER_TRANSACTION = 500;
const DEMO_PLAN = 'business';
const DEMO_SCOPES = [...PLAIN_SCOPES, 'categories:write', 'events:read'] as const;

const composeSandboxes = ({ database, clock, randomText }: Parts, resets: Resets) => {
  const write = writeInStore(database);

  // Deletes rows that a reset would keep, such as events. SQLite can then store the rows of the next reset in the freed
  // pages, so the database file does not grow.
  const forgetSome = (storeId: bigint): Promise<number> =>
    write(storeId, async ({ webhooks, events, keptAnswers }) => {
      const before = clock() + 1;
      const deliveries = await webhooks.forgetDeliveries(before, REMOVED_PER_TRANSACTION);
      const forgotten = deliveries + (await events.forget(before, REMOVED_PER_TRANSACTION));
      return forgotten + (await keptAnswers.forget(before, REMOVED_PER_TRANSACTION));
    });

  return {
    open(secret = makeSecret('staging', randomText)): Promise<{ secret: string; storeId: bigint }> {
      const id = `key_${randomText(24)}`;
      return database.write(SYSTEM_CALL, async (repositories) => {
        const storeId = await repositories.stores.openNext();
        await repositories.seedHistory(storeId, id);
        const limits = limitsOf(DEMO_PLAN, undefined);
        const decided = { id, name: 'demo', plan: DEMO_PLAN, limits, scopes: DEMO_SCOPES, storeId } as const;
        await issueKey(repositories, { ...decided, admin: false, expiresAt: null }, secret);
        return { secret, storeId };
      });
    },

    async renew(storeId: bigint): Promise<void> {
      while ((await forgetSome(storeId)) > 0);
      await write(storeId, ({ stores }) => stores.beginReset({ storeId, keyId: null, requestId: null }));
      await resets.finish(storeId);
    },
  };
};

const PG_ADVICE =
  'The data is in PostgreSQL. Back it up with pg_dump or pg_basebackup, as described in docs/operating/back-up.md.';
const DEMO_ADVICE = 'A demo discards its data, so it makes no backups. Start the service without --demo.';

const composeBackups = ({ config, clock, log, backUp, lastBackupAt }: Parts, onStop: (stop: () => void) => void) =>
  createBackups({
    ...{ clock, log, onStop },
    make: backUp,
    advice: config.DATABASE_URL.engine === 'postgres' ? PG_ADVICE : DEMO_ADVICE,
    lastBackupAt: lastBackupAt ?? (() => undefined),
  });

const factsOf = ({ config, clock, schema }: Parts): ServiceFacts => ({
  version: VERSION,
  commit: COMMIT ?? null,
  runtime: `bun ${process.versions.bun}`,
  environment: config.PETSTORE_ENVIRONMENT,
  engine: config.DATABASE_URL.engine,
  schema,
  startedAt: formatInstant(clock()),
  settings: config.settings,
});

const composeOn = async (parts: Parts) => {
  const { config, database, clock, log, stopwatch = elapsed } = parts;
  const drain = createDrain();
  const { onStop } = drain;
  const record: Write = async (body) => {
    if (!config.PETSTORE_READ_ONLY) await database.write(SYSTEM_CALL, body);
  };
  const limiter = await composeLimiter(parts, record);
  const pageLimiter = createPageLimiter(clock);
  const counter = createUsageCounter({ clock, save: (batch) => record(({ usage }) => usage.add(batch)) });
  const streams = composeStreams(parts);
  const trustedNow = createClockGuard({
    clock,
    stopwatch,
    jumped: (byMs) =>
      log.warn('clock_jumped', {
        byMs: Math.round(byMs),
        advice: 'old data is not deleted until the clock has been steady for an hour; check the system clock',
      }),
  });
  const resets = createResets({
    now: clock,
    stores: database.read(FIRST_STORE).stores,
    write: database.write,
    isStopped: () => drain.hasBegun,
    elapsed: stopwatch,
    pause: sleep,
  });
  const spans = await composeSpans(parts);
  if (spans) onStop(spans.hurry);
  const healthSeries = createHealthSeries({ metrics: parts.metrics, clock, elapsed: stopwatch });
  const health = { healthSeries, backups: composeBackups(parts, onStop), facts: factsOf(parts) };
  const own = { ...health, stopwatch, limiter, pageLimiter, counter, resets, spans, drain, onStop };
  const app = composeApp({ ...parts, ...streams, ...own });
  // Starts the runtime's threads now, because starting a thread while no file descriptor is free would crash the
  // process. Later, open connections may use up all descriptors.
  if (parts.listen && parts.fileDescriptors && parts.fileDescriptors < DESCRIPTORS_WANTED) await parts.prepare?.();
  await parts.listen?.(app, createMetricsApp(parts.metrics));
  const isReadOnly = config.PETSTORE_READ_ONLY;
  const { adminKey, isNew } = isReadOnly ? { adminKey: undefined, isNew: false } : await prepareAdminKey(parts);
  const send = parts.send ?? createSend({ allowPrivate: config.PETSTORE_WEBHOOK_ALLOW_PRIVATE, clock });
  const dispatcher = isReadOnly ? undefined : composeWebhooks({ ...parts, send, trustedNow, random: Math.random });
  const saveJobs = [
    { name: 'save-windows', everyMs: 1000, run: limiter.flush },
    { name: 'save-usage', everyMs: 1000, run: counter.flush },
  ];

  return {
    app,
    adminKey,
    isNew,
    jobs: [
      ...saveJobs,
      { name: 'forget-pages', everyMs: 1000, run: pageLimiter.flush },
      { name: 'tend-streams', everyMs: 1000, run: streams.hub.tend },
      addMetrics({ ...parts, limiter, hub: streams.hub }),
      healthSeries.job,
      ...(spans ? [{ name: 'send-spans', everyMs: 2000, run: spans.flush }] : []),
      ...parts.jobs,
      ...(dispatcher ? createJobs({ ...parts, dispatcher, resets, trustedNow }) : []),
    ],
    sandboxes: composeSandboxes(parts, resets),
    drain: drain.begin,
    async close() {
      // `runJob` never throws, so the database is closed even if the statistics cannot be saved.
      const saved = saveJobs.map((job) => runJob(job, log));
      limiter.close();
      await Promise.all([dispatcher?.stop(), spans?.flush(), ...saved]);
      await parts.close();
    },
  };
};

export const compose = async (config: Config, world: World) => {
  const deps = { ...world, config, randomText: createRandomText(world.randomBytes), metrics: createMetrics() };
  const place = config.DATABASE_URL;
  // Loads only the configured database engine, because loading both drivers would slow down every start.
  const backend =
    place.engine === 'sqlite'
      ? (await import('./backend.sqlite.ts')).openSqliteBackend(place.path, deps)
      : await (await import('./backend.postgres.ts')).openPostgresBackend(place.url, deps);
  try {
    return await composeOn({ ...deps, ...backend });
  } catch (error) {
    await backend.close();
    throw error;
  }
};
