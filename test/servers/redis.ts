import { rmSync } from 'node:fs';
import { waitFor } from '../wait-for.ts';
import { createServerProcess, freePort, makeServerDirectory, runTool } from './server-process.ts';

/** Finds the two programs, if both are installed. */
export const findRedis = () => {
  const server = Bun.which('redis-server');
  const client = Bun.which('redis-cli');
  return server && client ? { server, client } : undefined;
};

type Options = {
  /** Whether data survives a restart. */
  appendOnly?: boolean;
  /** Settings by their names in the configuration file. */
  settings?: Record<string, string>;
};

/** Starts a Redis on a free loopback port, in a temporary directory. */
export const startRedis = async ({ appendOnly = false, settings = {} }: Options = {}) => {
  const programs = findRedis();
  if (!programs) throw new Error('Redis is not installed; install it with npm run services:install');
  const port = await freePort();
  const directory = makeServerDirectory('redis');
  const all = {
    bind: '127.0.0.1',
    port: `${port}`,
    dir: directory,
    save: '',
    appendonly: appendOnly ? 'yes' : 'no',
    ...settings,
  };

  /** Sends one command, and returns the reply as redis-cli prints it. */
  const command = async (...words: string[]): Promise<string> =>
    (await runTool(directory, [programs.client, '-p', `${port}`, ...words])).trim();

  const server = createServerProcess({
    directory,
    command: [programs.server, ...Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])],
    isReady: async (pid) => {
      const info = await command('INFO').catch(() => '');
      return info.includes(`process_id:${pid}\r\n`) && info.includes('loading:0\r\n');
    },
  });
  try {
    await server.start();
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }

  const stop = () => server.end('SIGTERM');
  const kill = () => server.end('SIGKILL');
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    directory,
    command,
    /** Stops the server. Its data stays for `restart`. */
    stop,
    kill,
    /** Starts the server on the same port. Stops it first if it is running. */
    async restart() {
      await stop();
      await server.start();
    },
    /** Stops the server and removes its data. */
    async remove() {
      await kill();
      server.removeDirectory();
    },
  };
};

export type Redis = Awaited<ReturnType<typeof startRedis>>;

const MASTERS = 3;

/** Starts three masters, joined and ready, each with a replica if requested. */
export const startRedisCluster = async ({ replicas = false } = {}) => {
  const settings = {
    'cluster-enabled': 'yes',
    // Without replicas, a short pause must not mark a master as failed.
    'cluster-node-timeout': replicas ? '1000' : '60000',
    // By default, a master waits five seconds for more replicas before it synchronizes the first.
    'repl-diskless-sync-delay': '0',
    // A replica may stand for election, however long an overloaded machine takes.
    'cluster-replica-validity-factor': '0',
  };
  const nodes: Redis[] = [];
  const remove = async () => {
    await Promise.all(nodes.map((node) => node.remove()));
  };

  try {
    for (let count = 0; count < (replicas ? 2 * MASTERS : MASTERS); count++) nodes.push(await startRedis({ settings }));
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
    const [first] = nodes as [Redis];
    const copies = ['--cluster-replicas', replicas ? '1' : '0', '--cluster-yes'];
    await first.command('--cluster', 'create', ...addresses, ...copies);
    const isReady = async (node: Redis) => {
      if (!(await node.command('CLUSTER', 'INFO')).includes('cluster_state:ok')) return false;
      // A replica that is not in sync cannot replace its master.
      const role = await node.command('ROLE');
      return role.startsWith('master') || role.includes('connected');
    };
    await waitFor('the cluster is ready', async () => (await Promise.all(nodes.map(isReady))).every(Boolean));
  } catch (error) {
    await remove();
    throw error;
  }

  const masters = nodes.slice(0, MASTERS);
  return {
    /** All nodes, in the form in which `REDIS_URL` names a cluster. */
    url: nodes.map(({ url }) => url).join(','),
    masters,
    replicas: nodes.slice(MASTERS),
    async killMaster(index: number) {
      const master = masters[index];
      if (!master) throw new Error(`there is no master ${index}`);
      await master.kill();
    },
    remove,
  };
};
