import { BadUsage } from '../../cli/args/read-arguments.ts';
import type { Demo, ServeOptions } from '../../cli/args/serve-flags.ts';
import { compose, type World } from '../compose/compose.ts';
import type { Config } from '../config.ts';
import { listen, type Server } from '../http/server.ts';
import { isIP, randomBytes } from '../kernel/builtins.ts';
import { createSecretMask, explainError, type Log } from '../kernel/log.ts';
import { once, sleep, systemClock } from '../kernel/runtime.ts';
import { announce, openBrowser, originOf, showAdminKey } from './announce.ts';
import { demoLimits, openDemo, type Prepare, replaceDemoFile } from './demo.ts';
import { ENOUGH_FILES, fileDescriptorLimit, keepReserve, startClientThread } from './descriptor-reserve.ts';
import { endByKill } from './end-by-kill.ts';
import { createLog } from './log.ts';
import { startJobs } from './scheduler.ts';
import { createReadableSink, isTerminal, standardOutput } from './standard-output.ts';
import { endUnacknowledged } from './user-timeout.ts';

/** At shutdown, `/readyz` fails this many ms before connections are refused, so that proxies can switch instances. */
const NOTICE_MS = 500;
const DRAIN_MS = 10_000;
const UNACKNOWLEDGED_MS = 30_000;

export class CannotListen extends Error {}

type Place = { host: string; port: number; setting: keyof Config };

const REASONS: Record<string, (place: Place) => string> = {
  EACCES: ({ setting }) => `this user is not allowed to use the port; set ${setting} to 1024 or above`,
  ENOTFOUND: () => 'the host is unknown; set HOST to an address of this machine',
  EADDRNOTAVAIL: () => 'the address does not belong to this machine; set HOST to one that does',
};

/** For an unknown host, the runtime reports the error of an unrelated call, so this function looks up the host. */
const leadsNowhere = async (host: string): Promise<boolean> => {
  if (isIP(host) !== 0) return false;
  const { lookup } = await import('node:dns/promises');
  return (await lookup(host).catch(() => undefined)) === undefined;
};

const PORTS_TRIED = 20;

const isFree = async (host: string, port: number): Promise<boolean> => {
  const { createServer } = await import('node:net');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = createServer()
    .once('error', () => resolve(false))
    .listen(port, host, () => probe.close(() => resolve(true)));
  return promise;
};

const explainTaken = async ({ host, port, setting }: Place): Promise<string> => {
  for (let next = port + 1; next <= Math.min(port + PORTS_TRIED, 65_535); next += 1) {
    if (await isFree(host, next)) return `the port is in use; set ${setting}=${next}, which is free`;
  }
  return `the port is in use; set ${setting} to another port`;
};

type App = Parameters<typeof listen>[0];

const explain = async ({ code = '', message }: NodeJS.ErrnoException, place: Place): Promise<string> => {
  if (await leadsNowhere(place.host)) return 'the host name has no address; set HOST to an address of this machine';
  return code === 'EADDRINUSE' ? explainTaken(place) : (REASONS[code]?.(place) ?? message);
};

const listenOrExplain = async (app: App, place: Place, opened: Promise<void>): Promise<Server> => {
  try {
    return listen(app, place, opened);
  } catch (error) {
    const reason = await explain(error as NodeJS.ErrnoException, place);
    throw new CannotListen(`cannot listen on ${place.host} port ${place.port}: ${reason}`);
  }
};

const backUpOf = (config: Config): World['backUp'] =>
  config.DATABASE_URL.engine === 'postgres'
    ? undefined
    : async (stopped) => (await import('./backup-schedule.ts')).createMakeBackup(config)(stopped);

const start = async (config: Config, log: Log, demo?: Demo) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const place: Place = { host: config.HOST, port: config.PORT, setting: 'PORT' };
  const metricsPort = config.PETSTORE_METRICS_PORT;
  const servers: { api?: Server; metrics?: Server } = {};
  const limit = fileDescriptorLimit();
  let reserve: ReturnType<typeof keepReserve> | undefined;
  const service = await compose(config, {
    randomBytes,
    log,
    fileDescriptors: limit,
    // If the database file is broken, a normal service must exit. A demo keeps running, and its next reset creates a new
    // file.
    ...(demo ? demoLimits(config) : { endByKill, backUp: backUpOf(config) }),
    listen: async (app, metricsApp) => {
      if (limit && limit < ENOUGH_FILES) await startClientThread();
      servers.api = await listenOrExplain(app, place, opened);
      endUnacknowledged(servers.api.port, UNACKNOWLEDGED_MS);
      if (metricsPort) {
        const own: Place = { host: '127.0.0.1', port: metricsPort, setting: 'PETSTORE_METRICS_PORT' };
        servers.metrics = await listenOrExplain(metricsApp, own, opened);
      }
      const warn = (advice: string): void => log.warn('connections_wait', { limit, advice });
      if (limit) reserve = keepReserve({ port: servers.api.port, limit, warn });
    },
  });
  const server = servers.api as Server;
  const stopJobs = startJobs(service.jobs, log);
  const stop = async (noticeMs: number, drainMs: number): Promise<void> => {
    service.drain();
    await sleep(noticeMs);
    reserve?.stop();
    await server.stop(drainMs);
    await servers.metrics?.stop(0);
    await stopJobs();
  };
  return { service, port: server.port, open, stop, close: once(service.close) };
};

export const serve = async (config: Config, stopRequested: Promise<string>, { demo, opens = false }: ServeOptions) => {
  if (opens && !isTerminal()) throw new BadUsage('--open works only on a terminal; leave it out');
  const mask = createSecretMask(config.PETSTORE_ADMIN_KEY);
  const sink = isTerminal() ? createReadableSink(standardOutput, !process.env.NO_COLOR) : standardOutput;
  const log = createLog(config.PETSTORE_LOG_LEVEL, sink, systemClock, mask);
  if (!config.PETSTORE_CREATE) await (await import('../storage/maintenance.ts')).planMigrations(config);
  let running = await start(config, log, demo);
  running.open();
  const { service, port } = running;
  let settings = { ...config, PORT: port, PETSTORE_ADMIN_KEY: service.adminKey ?? config.PETSTORE_ADMIN_KEY };
  const recreate = async (prepare: Prepare) => {
    await running.stop(0, 0);
    await running.close().catch((error) => log.warn('demo_not_closed', { error: explainError(error) }));
    settings = replaceDemoFile(settings);
    running = await start(settings, log, demo);
    // The service starts accepting requests even if `prepare` fails, because the next reset will replace the database
    // anyway.
    await prepare(running.service.sandboxes).finally(running.open);
  };
  let isAnnounced = false;
  try {
    const origin = originOf(config.HOST, port);
    const opened = demo && (await openDemo({ config, log, sandboxes: service.sandboxes, recreate, demo }));
    announce({ config, origin, ...service, testKey: opened?.testKey, opens, log });
    isAnnounced = true;
    if (opens) openBrowser(`${origin}/`);

    const signal = await stopRequested;
    log.info('stopping', { signal });
    await opened?.stop();
    await running.stop(NOTICE_MS, DRAIN_MS);
  } finally {
    // The new admin key cannot be shown at a later start, so it is shown now, even after a failure.
    if (!isAnnounced) showAdminKey({ config, ...service, testKey: undefined, log });
    await running.close().finally(() => log.flush());
  }
  log.info('stopped');
  await log.flush();
};
