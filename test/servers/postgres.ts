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
  fsync?: boolean;
  settings?: Record<string, string>;
};

export type Postgres = {
  url: string;
  port: number;
  directory: string;
  query: (text: string, values?: unknown[]) => Promise<any[]>;
  createDatabase: (name?: string, template?: string) => Promise<string>;
  dropDatabase: (url: string) => Promise<void>;
  stop: (mode?: keyof typeof STOP_SIGNALS) => Promise<void>;
  kill: () => Promise<void>;
  restart: () => Promise<void>;
  startStandby: () => Promise<Postgres>;
  promote: () => Promise<void>;
  remove: () => Promise<void>;
};

const childrenOf = (pid: number): number[] => {
  const list = `/proc/${pid}/task/${pid}/children`;
  // Some kernels do not list child processes. On these kernels, the tests kill only the server, and its child processes
  // exit by themselves afterwards.
  return existsSync(list) ? (readFileSync(list, 'utf8').match(/\d+/g) ?? []).map(Number) : [];
};

const isIn = (states: RegExp, pid: number): boolean => {
  try {
    return states.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
};
const hasExited = (pid: number): boolean => isIn(/ [ZX] /, pid);
const isStopped = (pid: number): boolean => isIn(/ [TZX] /, pid);

/**
 * Removes the shared memory that a killed server leaves behind. Line 7 of `postmaster.pid` contains the key and the id of the
 * shared memory.
 */
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
    // Stores dynamic shared memory in the server's directory, which is deleted even if the server is killed.
    dynamic_shared_memory_type: 'mmap',
    ...settings,
  };
  const words = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = createServerProcess({
    directory,
    command: [join(programs, 'postgres'), '-D', data, ...words],
    // Line 1 of `postmaster.pid` is the process id, and line 8 is the state. `isReady` compares the process id, because
    // after a crash, the file still describes the previous server.
    isReady: (pid) => {
      try {
        const lines = readFileSync(pidFile, 'utf8').split('\n');
        return lines[0] === `${pid}` && lines[7]?.trim() === 'ready';
      } catch {
        // The file may be missing for a moment, because a server that starts after a crash first removes the old file.
        return false;
      }
    },
  });
  await server.start();
  return { port, server };
};

const open = async (programs: string, directory: string, options: Options): Promise<Postgres> => {
  const { port, server } = await serve(programs, directory, options);
  const url = `postgres://petstore@127.0.0.1:${port}/postgres`;

  const stop = (mode: keyof typeof STOP_SIGNALS = 'fast') => server.end(STOP_SIGNALS[mode]);

  const kill = async () => {
    const pid = server.pid;
    if (pid === undefined) return;
    // Suspends the server first, so that it cannot start new child processes while its current ones are being killed.
    process.kill(pid, 'SIGSTOP');
    await waitFor('the server is stopped', () => isStopped(pid));
    const children = childrenOf(pid);
    for (const child of children) process.kill(child, 'SIGKILL');
    await server.end('SIGKILL');
    await waitFor('every PostgreSQL process has exited', () => children.every(hasExited));
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
      await waitFor('every PostgreSQL process has exited', () => children.every(hasExited));
      server.removeDirectory();
    },
  };
};

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
    // The standby copied `synchronous_standby_names` from the primary. After a promotion, this setting would make
    // the new primary wait for a standby of its own.
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

export const startPostgres = async (options: Options = {}): Promise<Postgres> => {
  const programs = findPostgres();
  if (!programs) throw new Error('PostgreSQL is not installed; install it with npm run services:install');
  const flags = ['--username=petstore', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
  return openNew(programs, options, (data) => [join(programs, 'initdb'), '-D', data, ...flags]);
};
