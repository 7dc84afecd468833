import { randomBytes } from 'node:crypto';
import { compose } from '../src/compose/compose.ts';
import { readConfig } from '../src/config.ts';
import { createSend, type Send } from '../src/delivery/send.ts';
import { listen } from '../src/http/server.ts';
import type { Log } from '../src/kernel/log.ts';
import { createLog } from '../src/ops/log.ts';
import type { MakeBackup } from '../src/resources/health/backups.ts';
import { ADMIN_KEY } from './admin-key.ts';
import { createCaller } from './caller.ts';
import { createTestClock } from './clock.ts';
import { DATABASE_TIMEOUT_MS, IDLE_SECONDS } from './patience.ts';
import { createServiceDatabase } from './service-database.ts';

export type { Ask, TestResponse } from './caller.ts';
export { ADMIN_KEY, createTestClock };

export const STAGING = { PETSTORE_ENVIRONMENT: 'staging' };

/** Hosts on this machine. Tests never send webhooks to any other host. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Milliseconds between renewals of the leader's term. On PostgreSQL, only the leader sends webhooks, and its term ends
 * after 30 seconds. In tests, jobs do not run by themselves, so this file renews the term.
 */
const RENEWAL_MS = 5000;

type Options = {
  maxWaiting?: number;
  maxPets?: number;
  maxEvents?: number;
  environment?: Record<string, string>;
  clock?: ReturnType<typeof createTestClock>;
  stopwatch?: () => number;
  log?: Log;
  /** Default: a function that only pretends to make a backup. */
  backUp?: MakeBackup | undefined;
  /** Changes the database before the service opens it. */
  arrange?: (place: string) => Promise<void>;
};

export const startService = async (options: Options = {}) => {
  const { environment = {}, clock = createTestClock(), stopwatch = clock, log } = options;
  const { maxWaiting, maxPets, maxEvents } = options;
  const backUp = 'backUp' in options ? options.backUp : async () => ({ file: 'backups/petstore.db', bytes: 1 });
  const { directory, url: databaseUrl, place, remove } = await createServiceDatabase(environment.PETSTORE_ENVIRONMENT);
  await options.arrange?.(place);
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    PETSTORE_ADMIN_KEY: ADMIN_KEY,
    PETSTORE_DATABASE_TIMEOUT_MS: String(DATABASE_TIMEOUT_MS),
    ...environment,
  });
  const causes = new Map<unknown, string>();
  const silent: Log = {
    ...createLog('silent', async () => undefined, clock),
    error: (event, fields) => {
      if (event !== 'failure') return;
      const { requestId, error } = fields as { requestId: string; error: string };
      causes.set(requestId, error);
    },
  };
  const sendOut = createSend({
    allowPrivate: config.PETSTORE_WEBHOOK_ALLOW_PRIVATE,
    clock,
    timeoutMs: Math.max(15_000, DATABASE_TIMEOUT_MS),
  });
  const send: Send = async (message) => {
    if (LOOPBACK.test(new URL(message.url).hostname)) return sendOut(message);
    return new Promise<never>(() => undefined);
  };
  const start = async () => {
    const service = await compose(config, {
      clock,
      stopwatch,
      randomBytes,
      log: log ?? silent,
      send,
      backUp,
      ...(maxWaiting === undefined ? {} : { maxWaiting }),
      ...(maxPets === undefined ? {} : { maxPets }),
      ...(maxEvents === undefined ? {} : { maxEvents }),
    });
    const address = { host: config.HOST, port: config.PORT, idleSeconds: IDLE_SECONDS };
    return { service, server: listen(service.app, address) };
  };
  let running = await start();
  const renewTerm = () => {
    const poll = running.service.jobs.find(({ name }) => name === 'poll-changes');
    void Promise.resolve(poll?.run()).catch(() => undefined);
  };
  const renewing = setInterval(renewTerm, RENEWAL_MS).unref();

  const url = (path: string) => `http://127.0.0.1:${running.server.port}${path}`;

  return {
    clock,
    directory,
    place,
    ...createCaller(url, (requestId) => causes.get(requestId)),
    get port() {
      return running.server.port;
    },

    async runJobs() {
      for (const job of running.service.jobs) await job.run();
    },

    drain: () => running.service.drain(),

    async restart() {
      await running.server.stop(0);
      await running.service.close();
      running = await start();
    },

    async stop() {
      clearInterval(renewing);
      await running.server.stop(0);
      await running.service.close();
      await remove();
    },
  };
};

export type Service = Awaited<ReturnType<typeof startService>>;
