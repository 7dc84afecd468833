import { fileURLToPath } from 'node:url';
import { type Redis, startRedis, startRedisCluster } from '../test/servers/redis.ts';
import { waitFor } from '../test/wait-for.ts';

const FAR_AWAY = fileURLToPath(import.meta.resolve('./far-away.ts'));

const moveAway = async (ports: readonly number[]) => {
  const child = Bun.spawn([process.execPath, FAR_AWAY, ...ports.map(String)], { stdin: 'pipe', stdout: 'pipe' });
  const { value = '' } = await child.stdout.pipeThrough(new TextDecoderStream()).getReader().read();
  return {
    ports: JSON.parse(value) as number[],
    delay(roundTripMs: number) {
      child.stdin.write(`${roundTripMs}\n`);
      child.stdin.flush();
    },
    async end() {
      child.stdin.end();
      await child.exited;
    },
  };
};

const urlOf = (ports: readonly number[]): string => ports.map((port) => `redis://127.0.0.1:${port}`).join(',');

export const startFarRedis = async () => {
  const redis = await startRedis();
  const away = await moveAway([redis.port]);
  return { url: urlOf(away.ports), delay: away.delay, remove: () => away.end().then(redis.remove) };
};

/**
 * Makes each Redis node announce its proxy's address to clients. Otherwise, clients would connect to the nodes
 * directly.
 */
export const startFarRedisCluster = async () => {
  const cluster = await startRedisCluster();
  const away = await moveAway(cluster.masters.map(({ port }) => port));
  const announce = async ({ command, port }: Redis, at: number) => {
    await command('CONFIG', 'SET', 'cluster-announce-bus-port', `${port + 10_000}`);
    await command('CONFIG', 'SET', 'cluster-announce-port', `${away.ports[at]}`);
  };
  await Promise.all(cluster.masters.map(announce));
  for (const { command } of cluster.masters) {
    await waitFor(
      'the node knows the addresses of all nodes',
      () => command('CLUSTER', 'SLOTS'),
      (slots) => away.ports.every((port) => slots.includes(String(port))),
    );
  }
  return { url: urlOf(away.ports), delay: away.delay, remove: () => away.end().then(cluster.remove) };
};
