import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Redis, RedisOptions } from 'ioredis';

/** If a connection receives no data for this long, in ms, while a reply is expected, it is replaced. */
const SILENT_MS = 2000;
const CONNECT_MS = 1000;
const REFRESH_MS = 5000;
/** Startup waits this long for Redis (or for the timeout, if that is longer), then continues without it. */
const FIRST_MS = 2000;

const retryMs = (times: number): number => Math.min(50 * times, 500);

/**
 * Not `commandTimeout`: ioredis also applies it to its handshake and to the cluster map, which may take longer than a
 * request can wait. Not `enableAutoPipelining`: commands would wait for the replies to the previous batch, and a
 * cluster slot that moves would be lost for good (redis/ioredis#2075).
 */
const OPTIONS = {
  connectTimeout: CONNECT_MS,
  maxRetriesPerRequest: 0,
  // A command without a reply is not sent again, because Redis may have counted it.
  autoResendUnfulfilledCommands: false,
  // Reconnects if the master has become a replica.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
} satisfies RedisOptions;

const openOne = async ([url = '']: string[], socketTimeout: number): Promise<Redis> => {
  const { Redis } = await import('ioredis');
  return new Redis(url, { ...OPTIONS, socketTimeout, retryStrategy: retryMs, enableOfflineQueue: false });
};

/** Removes the brackets that URLs, and only URLs, put around IPv6 addresses. */
const nodeOf = ({ hostname, port }: URL) => ({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) });

const openCluster = async (urls: string[], socketTimeout: number): Promise<Cluster> => {
  const { Cluster } = await import('ioredis');
  const nodes = urls.map((url) => new URL(url));
  // All nodes share the user, password and TLS setting, including nodes that only the cluster map lists.
  const [{ username, password, protocol }] = nodes as [URL];
  const cluster = new Cluster(nodes.map(nodeOf), {
    enableOfflineQueue: false,
    clusterRetryStrategy: retryMs,
    slotsRefreshTimeout: CONNECT_MS,
    slotsRefreshInterval: REFRESH_MS,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    // Host names are not resolved here. Certificates are issued for names, and one unresolvable name would block the
    // others.
    dnsLookup: (name, callback) => callback(null, name),
    redisOptions: {
      ...OPTIONS,
      socketTimeout,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  });
  // Connects early. Otherwise, the first request to a node would open the connection, and requests would fail until
  // then. Waits until the cluster is ready, because its own check mistakes a connecting node for a missing one and
  // starts again.
  const connectAll = (): void => {
    if (cluster.status !== 'ready') return;
    for (const node of cluster.nodes()) if (node.status === 'wait') node.connect().catch(() => undefined);
  };
  cluster.on('ready', connectAll).on('+node', connectAll);
  return cluster;
};

const isReady = (client: Redis | Cluster): boolean =>
  client.status === 'ready' &&
  (!('nodes' in client) || client.nodes('master').every(({ status }) => status === 'ready'));

/** Connects to one node or, given several URLs separated by commas, to a cluster. */
export const connectRedis = async (url: string, script: string, timeoutMs: number) => {
  const urls = url.split(',').map((part) => part.trim());
  const client = await (urls.length > 1 ? openCluster : openOne)(urls, Math.max(SILENT_MS, 4 * timeoutMs));
  let problem: string | undefined;
  const noteProblem = (error: Error & { lastNodeError?: Error }) => {
    problem = error.lastNodeError?.message ?? error.message;
  };
  // Without a listener, ioredis prints errors to standard error.
  client.on('error', noteProblem).on('node error', noteProblem);
  const sha = process.getBuiltinModule('node:crypto').createHash('sha1').update(script).digest('hex');
  const deadline = performance.now() + Math.max(FIRST_MS, timeoutMs);
  while (!isReady(client) && performance.now() < deadline) await sleep(5);

  return {
    /** Runs the script on one key. Only the timeout of the connection itself applies. */
    async run(key: string, words: readonly string[]): Promise<unknown> {
      try {
        const reply = await client.evalsha(sha, 1, key, ...words);
        problem = undefined;
        return reply;
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        return client.eval(script, 1, key, ...words);
      }
    },
    isReady: () => isReady(client),
    /** The last connection error, if there has been no reply since. */
    problem: () => problem,
    close: () => client.disconnect(),
  };
};
