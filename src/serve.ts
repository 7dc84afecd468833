import { announce, showAdminKey } from './announce.ts';
import { compose } from './compose.ts';
import type { Config } from './config.ts';
import { listen, type Server } from './http/server.ts';
import { systemClock } from './kernel/clock.ts';
import { randomBytes } from './kernel/digest.ts';
import { createLog } from './log.ts';
import { standardOutput } from './standard-output.ts';
import { startWorkers } from './workers.ts';

/** How long readiness has said no before connections are refused: time for a proxy to look elsewhere. */
const NOTICE_MS = 500;
const DRAIN_MS = 10_000;

/** The address cannot be listened on. */
export class CannotListen extends Error {}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'the port is taken; set PORT to another, or to 0 for any free one',
  EACCES: 'this user may not use the port; set PORT to one above 1023',
  ENOTFOUND: 'there is no such host; set HOST to an address of this machine',
  EADDRNOTAVAIL: 'this machine does not have the address; set HOST to one it has',
  ENOENT: 'the name leads to no address; set HOST to an address of this machine',
};

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const listenOrSay = (...[app, address]: Parameters<typeof listen>): Server => {
  try {
    return listen(app, address);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new CannotListen(`cannot listen on ${address.host} port ${address.port}: ${REASONS[code] ?? message}`);
  }
};

/** Runs the service until it is asked to stop, then ends it in order: nothing that was accepted is lost. */
export const serve = async (config: Config, stopRequested: Promise<string>): Promise<void> => {
  const log = createLog(config.PETSTORE_LOG_LEVEL, standardOutput, systemClock);
  const service = await compose(config, { randomBytes, log });
  let announced = false;
  try {
    const server = listenOrSay(service.app, { host: config.HOST, port: config.PORT });
    const stopWorkers = startWorkers(service.workers, log);
    announce({ config, port: server.port, adminKey: service.adminKey, log });
    announced = true;

    const signal = await stopRequested;
    log.info('stopping', { signal });
    service.drain();
    await sleep(NOTICE_MS);
    await server.stop(DRAIN_MS);
    await stopWorkers();
  } finally {
    // The key is made by now, and this is the only start that can show it.
    if (!announced) showAdminKey(service.adminKey);
    await service.close();
  }
  log.info('stopped');
  await log.flush();
};
