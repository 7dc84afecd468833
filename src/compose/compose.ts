import { ensureAdminKey } from '../auth/ensure-admin-key.ts';
import { BadConfig, type Config } from '../config.ts';
import type { Send } from '../delivery/send.ts';
import type { App } from '../http/app.ts';
import { createMetricsApp } from '../http/observe/metrics-page.ts';
import type { Clock } from '../kernel/clock.ts';
import { createClockGuard } from '../kernel/clock-guard.ts';
import { runJob } from '../kernel/job.ts';
import type { Log } from '../kernel/log.ts';
import { createMetrics, type Metrics } from '../kernel/metrics.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import { createRandomText, type RandomBytes, type RandomText } from '../kernel/random-id.ts';
import { DESCRIPTORS_WANTED } from '../streaming/hub.ts';
import { composeApp } from './app.ts';
import type { Backend, BackendDeps } from './backend.ts';
import { composeDispatcher } from './dispatcher.ts';
import { createDrain } from './drain.ts';
import { createForgetPages, createJobs, createSaveJobs } from './jobs.ts';
import { composeLimiter, composePageLimiter } from './limiter.ts';
import { composeMetrics } from './metrics.ts';
import { createOperations } from './operations.ts';
import { composeResets } from './resets.ts';
import { composeSandboxes } from './sandboxes.ts';
import { composeSpans } from './spans.ts';
import { composeStreams } from './streams.ts';
import { composeUsageCounter } from './usage.ts';

export type World = {
  randomBytes: RandomBytes;
  log: Log;
  /** The time, where it is not that of the machine which keeps the data. */
  clock?: Clock;
  /** Milliseconds of a clock that nobody sets, where it is not the runtime's. */
  stopwatch?: () => number;
  /** How many files and connections the process may have open, where that is known. */
  fileDescriptors?: number | undefined;
  /** Takes the ports, before there is an admin key that only a start which serves can show. Nobody is answered yet. */
  listen?: (app: App, metricsApp: App) => Promise<void>;
  /** How webhooks are sent, where it is not over the network as it is. */
  send?: Send;
  /** So many transactions may wait for their commit; with more, requests are refused at once. */
  mostWaiting?: number;
  /** Has the process end without closing its files, however it ends. */
  endByKill?: () => void;
  /** How many animals a sandbox may have, where it is not as many as usual. */
  mostPets?: number;
  /** Maximum events of a sandbox, if it differs from the default. */
  mostEvents?: number;
  /** So many pages gather in the log of a file, where it is not as many as usual. */
  checkpointPages?: number;
};

type Parts = World & Backend & { config: Config; randomText: RandomText; metrics: Metrics };

/** Loads only the engine that is used: the drivers of the others would make every start slower. */
const openBackend = async (place: Config['DATABASE_URL'], deps: BackendDeps): Promise<Backend> => {
  if (place.engine === 'sqlite') return (await import('./backend.sqlite.ts')).openSqliteBackend(place.path, deps);
  return (await import('./backend.postgres.ts')).openPostgresBackend(place.url, deps);
};

/** Returns the admin key if this start has made it. */
const prepareAdminKey = async ({ database, config, randomText }: Parts): Promise<string | undefined> => {
  const wanted = { configured: config.PETSTORE_ADMIN_KEY, environment: config.PETSTORE_ENVIRONMENT, randomText };
  const { made, takenBy } = await database.write(SYSTEM_CALL, (repositories) => ensureAdminKey(repositories, wanted));
  if (takenBy) throw new BadConfig([`PETSTORE_ADMIN_KEY is already the secret of ${takenBy}`]);
  return made;
};

const composeOn = async (parts: Parts) => {
  const { isDraining, onStop, drain } = createDrain();
  const limiter = await composeLimiter(parts);
  const pageLimiter = composePageLimiter(parts);
  const counter = composeUsageCounter(parts);
  const { jobs: streamJobs, ...streams } = composeStreams(parts);
  const stopwatch = parts.stopwatch ?? (() => performance.now());
  const trustedNow = createClockGuard({
    clock: parts.clock,
    stopwatch,
    jumped: (byMs) =>
      parts.log.warn('clock_jumped', {
        byMs: Math.round(byMs),
        advice: 'nothing is deleted by age until the clock has run evenly for an hour; check the clock',
      }),
  });
  const resets = composeResets({ ...parts, stopwatch }, isDraining);
  const operations = createOperations({ ...parts, ...streams, stopwatch, limiter, counter, resets, onStop });
  const spans = await composeSpans(parts);
  if (spans) onStop(spans.hurry);
  const app = composeApp({ ...parts, spans, operations, limiter, pageLimiter, counter, isDraining, onStop });
  // The runtime ends the process if it starts a thread without a free descriptor, and strangers may take them all.
  if (parts.listen && parts.fileDescriptors && parts.fileDescriptors < DESCRIPTORS_WANTED) await parts.prepare?.();
  await parts.listen?.(app, createMetricsApp(parts.metrics));
  const adminKey = await prepareAdminKey(parts);
  const dispatcher = composeDispatcher({ ...parts, trustedNow });
  const { jobs: metricJobs } = composeMetrics({ ...parts, limiter, hub: streams.hub });
  const saveJobs = createSaveJobs(limiter, counter);

  return {
    app,
    /** The admin key if this start made it: to be shown once. */
    adminKey,
    jobs: [
      ...saveJobs,
      createForgetPages(pageLimiter),
      ...streamJobs,
      ...metricJobs,
      ...(spans ? [{ name: 'send-spans', everyMs: 2000, run: spans.flush }] : []),
      ...parts.jobs,
      ...createJobs({ ...parts, dispatcher, resets, trustedNow }),
    ],
    sandboxes: composeSandboxes({ ...parts, resets }),
    /** From here on the service says that it is not ready, and goes on serving. */
    drain,
    async close() {
      // Statistics that cannot be written must not keep the database from being closed.
      const saved = saveJobs.map((job) => runJob(job, parts.log));
      limiter.close();
      await Promise.all([dispatcher.stop(), spans?.flush(), ...saved]);
      await parts.close();
    },
  };
};

/** Builds every part once and joins them. */
export const compose = async (config: Config, world: World) => {
  const randomText = createRandomText(world.randomBytes);
  const metrics = createMetrics();
  const backend = await openBackend(config.DATABASE_URL, {
    environment: config.PETSTORE_ENVIRONMENT,
    backsUp: config.PETSTORE_BACKUP_BEFORE_MIGRATION,
    timeoutMs: config.PETSTORE_DATABASE_TIMEOUT_MS,
    randomText,
    log: world.log,
    metrics,
    clock: world.clock,
    stopwatch: world.stopwatch,
    endByKill: world.endByKill,
    checkpointPages: world.checkpointPages,
    scanEveryMs: config.PETSTORE_SCAN_SECONDS * 1000,
    countsTogether: config.REDIS_URL !== undefined,
  });
  try {
    return await composeOn({ ...world, ...backend, config, randomText, metrics });
  } catch (error) {
    await backend.close();
    throw error;
  }
};
