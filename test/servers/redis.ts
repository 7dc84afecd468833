import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../wait-for.ts';
import { createServerProcess, freePort, makeServerDirectory, runTool } from './server-process.ts';

export const findRedis = () => {
  const server = Bun.which('redis-server');
  const client = Bun.which('redis-cli');
  return server && client ? { server, client } : undefined;
};

type Options = {
  appendOnly?: boolean;
  settings?: Record<string, string>;
};

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
    stop,
    kill,
    async restart() {
      await stop();
      await server.start();
    },
    async remove() {
      await kill();
      server.removeDirectory();
    },
  };
};

export type Redis = Awaited<ReturnType<typeof startRedis>>;

const MASTERS = 3;

export const startRedisCluster = async ({ replicas = false } = {}) => {
  const settings = {
    'cluster-enabled': 'yes',
    // The timeout is in ms. Without replicas, it is long: if a short pause made a master count as failed, no replica
    // could take over.
    'cluster-node-timeout': replicas ? '1000' : '60000',
    // By default, a master waits five seconds for more replicas before it synchronizes the first replica.
    'repl-diskless-sync-delay': '0',
    // By default, a replica cannot become the master if its synchronization was delayed, which may happen on an
    // overloaded machine.
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

const MASTER = 'pets';

export const startRedisSentinel = async () => {
  const programs = findRedis();
  if (!programs) throw new Error('Redis is not installed; install it with npm run services:install');
  const master = await startRedis();
  const replica = await startRedis({ settings: { replicaof: `127.0.0.1 ${master.port}` } });
  const port = await freePort();
  const directory = makeServerDirectory('sentinel');
  const file = join(directory, 'sentinel.conf');
  // `down-after-milliseconds` is 10 minutes, so that Sentinel fails over only on command, even on a slow machine.
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${directory}`,
    `sentinel monitor ${MASTER} 127.0.0.1 ${master.port} 1`,
  ];
  writeFileSync(file, `${lines.join('\n')}\nsentinel down-after-milliseconds ${MASTER} 600000\n`);
  chmodSync(file, 0o666);
  const command = async (...words: string[]): Promise<string> =>
    (await runTool(directory, [programs.client, '-p', `${port}`, ...words])).trim();
  const server = createServerProcess({
    directory,
    command: [programs.server, file, '--sentinel'],
    isReady: async (pid) => (await command('INFO').catch(() => '')).includes(`process_id:${pid}\r\n`),
  });
  const remove = async () => {
    await Promise.all([server.end('SIGKILL'), master.remove(), replica.remove()]);
    server.removeDirectory();
  };
  try {
    await server.start();
    await waitFor('the replica is in sync and known', async () => {
      const isKnown = (await command('SENTINEL', 'REPLICAS', MASTER)).includes(`${replica.port}`);
      return isKnown && (await replica.command('ROLE')).includes('connected');
    });
  } catch (error) {
    await remove();
    throw error;
  }
  // The command may fail, because a server closes all connections when its role changes.
  const roleOf = (server: typeof master): Promise<string> => server.command('ROLE').catch(() => '');
  return {
    url: `redis+sentinel://127.0.0.1:${port}/${MASTER}`,
    port,
    master,
    replica,
    async failOver() {
      await waitFor('the failover begins', async () => (await command('SENTINEL', 'FAILOVER', MASTER)) === 'OK');
      await waitFor('the replica is the master', async () => (await roleOf(replica)).startsWith('master'));
      await waitFor('the old master is a replica', async () => (await roleOf(master)).startsWith('slave'));
    },
    remove,
  };
};
