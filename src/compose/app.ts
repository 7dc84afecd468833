import { createAuthenticate, createRecognise } from '../auth/authenticate-key.ts';
import { createKeyCache } from '../auth/key-cache.memory.ts';
import type { Config } from '../config.ts';
import { contractsIn, createSent, TAGS } from '../contracts.ts';
import { type App, createApp } from '../http/app.ts';
import { createRequestLog } from '../http/observe/request-log.ts';
import { createRequestMetrics } from '../http/observe/request-metrics.ts';
import type { Spans } from '../http/observe/spans.ts';
import { createOperationHandler } from '../http/operation-handler.ts';
import { createGate, createIdentifyClient } from '../http/overload/gate.ts';
import { createRefusalPacing } from '../http/overload/refusal-pacing.ts';
import { createPageCache } from '../http/pages/page-cache.ts';
import { createPages } from '../http/pages/pages.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { FIRST_STORE } from '../kernel/operation.ts';
import type { RandomBytes, RandomText } from '../kernel/random-id.ts';
import { createSecretMask } from '../kernel/secret-mask.ts';
import { createTraces } from '../kernel/trace.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { UsageCounter } from '../resources/usage/counter.ts';
import { VERSION } from '../version.ts';
import type { Backend } from './backend.ts';
import { composeMcp } from './mcp.ts';
import type { createOperations } from './operations.ts';
import { createReadiness } from './readiness.ts';

type Deps = Pick<Backend, 'database' | 'clock' | 'keyChanges'> & {
  config: Config;
  log: Log;
  metrics: Metrics;
  randomText: RandomText;
  operations: ReturnType<typeof createOperations>;
  limiter: Limiter;
  pageLimiter: Pick<Limiter, 'take'>;
  counter: UsageCounter;
  randomBytes: RandomBytes;
  spans: Spans | undefined;
  isDraining(): boolean;
  onStop(listener: () => void): void;
  mostWaiting?: number;
  /** The time in milliseconds by which waits are measured, by a clock that is never set back. */
  elapsed?: () => number;
};

const MOST_WAITING = 4000;

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The operations and pages as they are served over HTTP. */
export const composeApp = (deps: Deps) => {
  const { config, database, clock, keyChanges, metrics, isDraining, onStop } = deps;
  const environment = config.PETSTORE_ENVIRONMENT;
  const contracts = contractsIn(environment);
  const publicUrl = config.PETSTORE_PUBLIC_URL;
  const { keys } = database.read(FIRST_STORE);
  const secrets = createSecretMask(config.PETSTORE_ADMIN_KEY);
  const keyCache = createKeyCache({ keys, changes: keyChanges });
  const { elapsed = performance.now.bind(performance) } = deps;
  const gate = createGate({
    waiting: database.waiting,
    waitedMs: database.waitedMs,
    mostWaiting: deps.mostWaiting ?? MOST_WAITING,
    elapsed,
    processorMs,
    forceProgress: () => database.forceProgress?.(),
    nextTurn: setImmediate,
    later: setTimeout,
  });
  const refusalPacing = createRefusalPacing({ elapsed, later: setTimeout });
  // The report of suppressed lines must not keep a stopping process alive.
  const laterUnlessOver = (callback: () => void, ms: number) => setTimeout(callback, ms).unref();
  const requestLog = createRequestLog({ log: deps.log, secrets, elapsed, later: laterUnlessOver });
  onStop(() => {
    refusalPacing.end();
    requestLog.reportSuppressed();
  });
  const authenticate = createAuthenticate({ keys: keyCache, environment, clock });
  const pageCache = database.commits && createPageCache(database.commits);

  const makeDocument = async () => {
    const { createDocument } = await import('../http/openapi/document.ts');
    return createDocument({ contracts, tags: TAGS, sent: createSent(), version: VERSION });
  };
  const app: App = createApp({
    ...deps,
    operations: deps.operations.map(({ contract, run, findReplay }) =>
      createOperationHandler(contract, run, { pages: pageCache, findReplay }),
    ),
    pages: createPages({
      makeDocument,
      others: composeMcp({ contracts, makeDocument, publicUrl, listensOn: config.HOST, app: () => app }),
      clock,
      metrics,
      contracts,
      environment,
      publicUrl,
      listensOn: config.HOST,
      isReady: createReadiness({
        findAdmin: keys.findAdmin,
        canServe: () => !isDraining() && !gate.isSheddingAll() && database.canWrite(),
        waitedMs: database.waitedMs,
      }),
    }),
    authenticate,
    identifyClient: createIdentifyClient(createRecognise({ keys: keyCache, clock })),
    rehearsedDate: config.PETSTORE_REHEARSE_DATE,
    warn: deps.log.warn,
    log: requestLog,
    requestMetrics: createRequestMetrics(metrics),
    continueTrace: createTraces(deps.randomBytes, deps.spans !== undefined),
    secrets,
    countUsage: deps.counter.count,
    trusted: config.PETSTORE_TRUST_PROXY,
    elapsed,
    gate,
    refusalPacing,
    publicUrl,
  });
  return app;
};
