import { createAuthenticate, createKeyCache, createRecognise } from '../auth/authenticate-key.ts';
import { contractsIn, OPERATIONS } from '../contracts.ts';
import { type App, createApp } from '../http/app.ts';
import { createBaseUrl } from '../http/input/client-address.ts';
import { createRequestLog, createRequestMetrics } from '../http/observe/request-log.ts';
import type { Spans } from '../http/observe/spans.ts';
import { createTraces } from '../http/observe/trace.ts';
import { createGate, createIdentifyClient, createThrottledNetworks } from '../http/overload/gate.ts';
import { createRefusalPacing } from '../http/overload/refusal-pacing.ts';
import { createPages, createReadiness } from '../http/pages/pages.ts';
import { createReplyCache } from '../http/reply-cache.ts';
import { createOperationHandler } from '../http/routes.ts';
import type { Service } from '../http/service.ts';
import { findReplay } from '../idempotency/run-once.ts';
import type { RandomBytes } from '../kernel/ids.ts';
import { createSecretMask } from '../kernel/log.ts';
import { type Call, FIRST_STORE, type Once } from '../kernel/operation.ts';
import { type Elapsed, processorMs, elapsed as systemElapsed } from '../kernel/runtime.ts';
import type { Bans, Limiter } from '../limits/limiter.ts';
import { composeMcp } from '../mcp/page.ts';
import type { Backups } from '../resources/health/backups.ts';
import type { HealthSeries } from '../resources/health/series.ts';
import type { ServiceFacts } from '../resources/health/service.ts';
import type { Resets } from '../resources/sandbox/finish-resets.ts';
import { MAX_SANDBOX_EVENTS, MAX_SANDBOX_PETS, sandboxGuard } from '../resources/sandbox/sandbox-guard.ts';
import type { UsageCounter } from '../resources/usage/counter.ts';
import type { Hub } from '../streaming/hub.ts';
import type { StreamQueue } from '../streaming/queue.ts';
import { type Backend, type BackendDeps, writeInStore } from './repositories.ts';
import { createRunOperation } from './run-operation.ts';

type Deps = Pick<Backend, 'database' | 'clock' | 'keyChanges' | 'arrivals' | 'suspendStandby'> &
  Omit<BackendDeps, 'clock' | 'stopwatch' | 'endByKill' | 'checkpointPages'> & {
    randomBytes: RandomBytes;
    limiter: Limiter & Bans & { noteWrite?: ((keyId: string) => Promise<boolean>) | undefined };
    pageLimiter: Pick<Limiter, 'take'>;
    counter: UsageCounter;
    resets: Pick<Resets, 'finish'>;
    healthSeries: Pick<HealthSeries, 'since'>;
    backups: Backups;
    facts: ServiceFacts;
    streamQueue: StreamQueue;
    hub: Hub;
    spans: Spans | undefined;
    drain: { readonly hasBegun: boolean };
    onStop(listener: () => void): () => void;
    stopwatch: Elapsed;
    elapsed?: Elapsed;
  };

const MAX_WAITING = 4000;

const createOperations = ({ config, database, stopwatch, ...parts }: Deps) => {
  const environment = config.PETSTORE_ENVIRONMENT;
  const contracts = contractsIn(environment);
  const isStaging = environment === 'staging';
  const deps = {
    ...parts,
    writeInStore: writeInStore(database),
    mask: createSecretMask(config.PETSTORE_ADMIN_KEY).mask,
    elapsed: stopwatch,
    environment,
    contracts,
    orderHoldMs: config.PETSTORE_ORDER_HOLD_SECONDS * 1000,
    allowPrivate: config.PETSTORE_WEBHOOK_ALLOW_PRIVATE,
    rehearsedDate: config.PETSTORE_REHEARSE_DATE,
    maxPets: isStaging ? (parts.maxPets ?? MAX_SANDBOX_PETS) : undefined,
  };
  const runOperation = createRunOperation(database, deps, (contract) =>
    isStaging ? sandboxGuard(contract, parts.maxEvents ?? MAX_SANDBOX_EVENTS) : undefined,
  );
  const caches = {
    replies: database.commits && createReplyCache(database.commits),
    async findReplay({ storeId, keyId }: Call, once: Once) {
      await database.keysLoaded;
      return findReplay(database.read(storeId).idempotency, { caller: keyId ?? '', once });
    },
  };
  return OPERATIONS.filter(({ contract }) => contracts.includes(contract)).map((operation) =>
    createOperationHandler(operation.contract, runOperation(operation), caches),
  );
};

export const composeApp = (deps: Deps) => {
  const { config, database, clock, keyChanges, limiter, metrics, drain, onStop, suspendStandby } = deps;
  const environment = config.PETSTORE_ENVIRONMENT;
  const contracts = contractsIn(environment);
  const publicUrl = config.PETSTORE_PUBLIC_URL;
  const { keys } = database.read(FIRST_STORE);
  const secrets = createSecretMask(config.PETSTORE_ADMIN_KEY);
  const keyCache = createKeyCache({ keys, changes: keyChanges });
  const { elapsed = systemElapsed } = deps;
  const gate = createGate({
    backlog: database.backlog,
    waitedMs: database.waitedMs,
    maxWaiting: deps.maxWaiting ?? MAX_WAITING,
    elapsed,
    processorMs,
    forceProgress: () => database.forceProgress?.(),
    nextTurn: setImmediate,
    later: setTimeout,
  });
  const refusalPacing = createRefusalPacing({ elapsed, later: setTimeout });
  // A timer for the next report about suppressed log lines must not keep the process alive during shutdown.
  const laterUnlessOver = (callback: () => void, ms: number) => setTimeout(callback, ms).unref();
  const requestLog = createRequestLog({ log: deps.log, secrets, elapsed, later: laterUnlessOver });
  onStop(() => {
    refusalPacing.end();
    requestLog.reportSuppressed();
  });
  const authenticate = createAuthenticate({ keys: keyCache, environment, clock });

  const pages = createPages({
    others: composeMcp({ contracts, publicUrl, listensOn: config.HOST, app: () => app }),
    metrics,
    environment,
    publicUrl,
    listensOn: config.HOST,
    isReady: createReadiness({
      findAdmin: keys.findAdmin,
      canServe: () => !drain.hasBegun && !gate.isSheddingAll() && database.canWrite(),
      waitedMs: database.waitedMs,
    }),
  });
  const service: Service = {
    ...deps,
    authenticate,
    identifyClient: createIdentifyClient(createRecognise({ keys: keyCache, clock })),
    rehearsedDate: config.PETSTORE_REHEARSE_DATE,
    baseUrl: createBaseUrl({ publicUrl, trusted: config.PETSTORE_TRUST_PROXY, warn: deps.log.warn }),
    log: requestLog,
    requestMetrics: createRequestMetrics(metrics),
    continueTrace: createTraces(deps.randomBytes, deps.spans !== undefined),
    secrets,
    countUsage: deps.counter.count,
    trusted: config.PETSTORE_TRUST_PROXY,
    elapsed,
    gate,
    refusalPacing,
    throttled: createThrottledNetworks(clock),
    throttledForPages: createThrottledNetworks(clock),
    noteWrite:
      suspendStandby &&
      (async (keyId) => {
        if (!(await limiter.noteWrite?.(keyId))) await suspendStandby();
      }),
  };
  const app: App = createApp(service, createOperations(deps), pages);
  return app;
};
