import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { waitFor } from '../wait-for.ts';
import { createDatabase, dropDatabase, query } from './databases.ts';
import { createServerProcess, freePort, makeServerDirectory, runTool } from './server-process.ts';

const OLDEST = 15;
const DEBIAN = '/usr/lib/postgresql';
const PROGRAMS = ['initdb', 'postgres', 'pg_basebackup'];

const versionIn = (directory: string): number => {
  if (!PROGRAMS.every((program) => existsSync(join(directory, program)))) return 0;
  const { stdout } = Bun.spawnSync([join(directory, 'postgres'), '--version']);
  return Number(/\d+/.exec(stdout.toString())?.[0] ?? 0);
};

/** The directory with the programs of the newest PostgreSQL on this machine, if there is one that is new enough. */
export const findPostgres = (): string | undefined => {
  const onPath = Bun.which('postgres');
  const directories = onPath ? [dirname(realpathSync(onPath))] : [];
  if (existsSync(DEBIAN)) directories.push(...readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')));
  const [newest] = directories
    .map((directory) => ({ directory, version: versionIn(directory) }))
    .filter(({ version }) => version >= OLDEST)
    .sort((one, other) => other.version - one.version);
  return newest?.directory;
};

const STOP_SIGNALS = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

type Options = {
  /** Off is quicker, for tests that do not ask what a crash of the machine would leave. */
  fsync?: boolean;
  settings?: Record<string, string>;
};

export type Postgres = {
  /** Of a superuser, in the database `postgres`. */
  url: string;
  port: number;
  /** Holds the data, the Unix socket and the log. */
  directory: string;
  query: (text: string, values?: unknown[]) => Promise<any[]>;
  createDatabase: (name?: string, template?: string) => Promise<string>;
  dropDatabase: (url: string) => Promise<void>;
  /** Stops the server; its data stay for `restart`. */
  stop: (mode?: keyof typeof STOP_SIGNALS) => Promise<void>;
  /** Ends the server and every process of it with SIGKILL. */
  kill: () => Promise<void>;
  /** Starts the server on its port and data again, and stops it before if it runs. */
  restart: () => Promise<void>;
  /** A streaming copy that every commit on this server waits for from now on. */
  startStandby: () => Promise<Postgres>;
  /** Makes a standby take writes. */
  promote: () => Promise<void>;
  /** Ends the server and removes all that it kept. */
  remove: () => Promise<void>;
};

const childrenOf = (pid: number): number[] => {
  const list = `/proc/${pid}/task/${pid}/children`;
  // Where the kernel keeps no such list they end by themselves when they notice that the server is gone.
  return existsSync(list) ? (readFileSync(list, 'utf8').match(/\d+/g) ?? []).map(Number) : [];
};

/** Whether a process is in such a state, or not there any more. */
const isIn = (states: RegExp, pid: number): boolean => {
  try {
    return states.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
};
/** One that has ended may stay as a zombie (Z) where nobody asks how it ended. */
const isGone = (pid: number): boolean => isIn(/ [ZX] /, pid);
const isStill = (pid: number): boolean => isIn(/ [TZX] /, pid);

/** What a server that was killed has left in the kernel: the seventh line of its file names the key and the id. */
const removeSharedMemory = async (directory: string): Promise<void> => {
  const pidFile = join(directory, 'data', 'postmaster.pid');
  const id = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').split('\n')[6]?.trim().split(/\s+/)[1] : undefined;
  if (id && Bun.which('ipcrm')) await Bun.spawn(['ipcrm', '-m', id], { stdout: 'ignore', stderr: 'ignore' }).exited;
};

const serve = async (programs: string, directory: string, { fsync = true, settings = {} }: Options) => {
  const port = await freePort();
  const data = join(directory, 'data');
  const pidFile = join(data, 'postmaster.pid');
  const all = {
    listen_addresses: '127.0.0.1',
    port: `${port}`,
    unix_socket_directories: directory,
    max_connections: '300',
    shared_buffers: '32MB',
    synchronous_commit: 'on',
    fsync: fsync ? 'on' : 'off',
    // In its directory, so that a server that is killed leaves nothing elsewhere.
    dynamic_shared_memory_type: 'mmap',
    ...settings,
  };
  const words = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = createServerProcess({
    directory,
    command: [join(programs, 'postgres'), '-D', data, ...words],
    // Its eighth line is the state; after a crash it is still that of the server before.
    isReady: (pid) => {
      try {
        const lines = readFileSync(pidFile, 'utf8').split('\n');
        return lines[0] === `${pid}` && lines[7]?.trim() === 'ready';
      } catch {
        // A server that starts after a crash removes the file of the one before.
        return false;
      }
    },
  });
  await server.start();
  return { port, server };
};

/** The server on the data in `directory`, started. */
const open = async (programs: string, directory: string, options: Options): Promise<Postgres> => {
  const { port, server } = await serve(programs, directory, options);
  const url = `postgres://petstore@127.0.0.1:${port}/postgres`;

  const stop = (mode: keyof typeof STOP_SIGNALS = 'fast') => server.end(STOP_SIGNALS[mode]);

  const kill = async () => {
    const pid = server.pid;
    if (pid === undefined) return;
    // Held still, the server neither starts more processes nor gives a number of theirs free while they are killed.
    process.kill(pid, 'SIGSTOP');
    await waitFor('the server stands still', () => isStill(pid));
    const children = childrenOf(pid);
    for (const child of children) process.kill(child, 'SIGKILL');
    await server.end('SIGKILL');
    await waitFor('every process of PostgreSQL is gone', () => children.every(isGone));
  };

  return {
    url,
    port,
    directory,
    query: (text, values) => query(url, text, values),
    createDatabase: (name, template) => createDatabase(url, name, template),
    dropDatabase: (database) => dropDatabase(url, database),
    stop,
    kill,
    startStandby: () => startStandby(programs, { url, port }, options),
    async restart() {
      await stop();
      await server.start();
    },
    async promote() {
      const [{ promoted }] = await query(url, 'SELECT pg_promote(true, 90) AS promoted');
      if (!promoted) throw new Error('the standby was not promoted within 90 s');
    },
    async remove() {
      const children = server.pid === undefined ? [] : childrenOf(server.pid);
      if (server.pid === undefined) await removeSharedMemory(directory);
      await stop('immediate');
      await waitFor('every process of PostgreSQL is gone', () => children.every(isGone));
      server.removeDirectory();
    },
  };
};

/** Starts a server on data that `fill` makes, in a directory of its own. */
const openNew = async (programs: string, options: Options, fill: (data: string) => readonly string[]) => {
  const directory = makeServerDirectory('postgres');
  try {
    await runTool(directory, fill(join(directory, 'data')));
    return await open(programs, directory, options);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
};

const startStandby = async (programs: string, primary: { url: string; port: number }, options: Options) => {
  const name = `standby_${crypto.randomUUID().slice(0, 8)}`;
  const from = `host=127.0.0.1 port=${primary.port} user=petstore application_name=${name}`;
  const flags = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
  const copy = [join(programs, 'pg_basebackup'), '-d', from, ...flags];
  const standby = await openNew(programs, options, (data) => [...copy, '-D', data]);
  try {
    // The standby has its primary's settings: with a name in this one it would wait, promoted, for a standby of its own.
    const waitsFor = [
      [standby.url, ''],
      [primary.url, name],
    ] as const;
    for (const [server, names] of waitsFor) {
      await query(server, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
      await query(server, 'SELECT pg_reload_conf()');
    }
    const isInStep = 'SELECT FROM pg_stat_replication WHERE application_name = $1 AND sync_state = $2';
    const look = async () => (await query(primary.url, isInStep, [name, 'sync'])).at(0);
    await waitFor('the standby is synchronous', look);
    return standby;
  } catch (error) {
    await standby.remove();
    throw error;
  }
};

/** A PostgreSQL of our own, from the programs on this machine, on a free port of loopback, in a temporary directory. */
export const startPostgres = async (options: Options = {}): Promise<Postgres> => {
  const programs = findPostgres();
  if (!programs) throw new Error('there is no PostgreSQL on this machine; to get it: npm run services:install');
  const flags = ['--username=petstore', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
  return openNew(programs, options, (data) => [join(programs, 'initdb'), '-D', data, ...flags]);
};
