import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../wait-for.ts';

/**
 * First port to use. Outgoing connections use higher ports, so a server's port is still free when the server restarts.
 */
const FIRST_PORT = 10_000;
const PORTS = 5_000;
const CLAIM_OFFSET = 5_000;
const BUS_OFFSET = 10_000;

const listen = (port: number): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

const isFree = async (port: number): Promise<boolean> => {
  const server = await listen(port);
  if (server) await close(server);
  return server !== undefined;
};

/**
 * Listening sockets that reserve ports. This array keeps a reference to them; otherwise, the garbage collector would
 * close them.
 */
const claims: Server[] = [];

/**
 * Finds a port that is free and whose Redis Cluster bus port is also free. While this process runs, no other worker or
 * test run on this machine gets the same port.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    const claim = await listen(port + CLAIM_OFFSET);
    if (!claim) continue;
    if ((await isFree(port)) && (await isFree(port + BUS_OFFSET))) {
      claim.unref();
      claims.push(claim);
      return port;
    }
    await close(claim);
  }
};

/** If root starts the run, returns another user for the servers, because PostgreSQL refuses to run as root. */
export const serverUser = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${wanted}:`))?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('as root, the test servers run as the user postgres or nobody, but neither exists');
};

export const makeServerDirectory = (name: string): string => {
  const directory = mkdtempSync(join(tmpdir(), `petstore-${name}-`));
  const user = serverUser();
  if (user) chownSync(directory, user.uid, user.gid);
  return directory;
};

const surroundings = (directory: string) => ({
  ...serverUser(),
  cwd: directory,
  env: { PATH: process.env.PATH ?? '', HOME: directory, LC_ALL: 'C.UTF-8' },
  stdin: 'ignore' as const,
});

export const runTool = async (directory: string, command: readonly string[]): Promise<string> => {
  const child = Bun.spawn([...command], { ...surroundings(directory), stdout: 'pipe', stderr: 'pipe' });
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed: ${error.trim() || out.trim()}`);
  return out;
};

type Options = {
  directory: string;
  command: readonly string[];
  isReady: (pid: number) => boolean | Promise<boolean>;
};

/** Starts a server that stops when this process ends, even if this process is killed. */
export const createServerProcess = ({ directory, command: [program = '', ...words], isReady }: Options) => {
  let running: Bun.Subprocess | undefined;
  const log = join(directory, 'log');
  const leash = Bun.which('setpriv') ? ['setpriv', '--pdeathsig', 'INT'] : [];

  return {
    get pid() {
      return running?.exitCode === null && running.signalCode === null ? running.pid : undefined;
    },

    async start() {
      const to = openSync(log, 'a');
      const child = Bun.spawn([...leash, program, ...words], { ...surroundings(directory), stdout: to, stderr: to });
      closeSync(to);
      running = child;
      const look = async () => {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error('it exited');
        return isReady(child.pid);
      };
      try {
        await waitFor(`${program} is ready`, look);
      } catch (error) {
        child.kill('SIGKILL');
        await child.exited;
        throw new Error(`${program} did not start: ${readFileSync(log, 'utf8').slice(-2000)}`, { cause: error });
      }
    },

    async end(signal: NodeJS.Signals) {
      const child = running;
      if (!child) return;
      child.kill(signal);
      await waitFor(`${program} exits after ${signal}`, () => child.exitCode !== null || child.signalCode !== null);
      running = undefined;
    },

    removeDirectory: () => rmSync(directory, { recursive: true, force: true }),
  };
};
