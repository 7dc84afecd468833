import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Redis, RedisOptions } from 'ioredis';

/** A connection on which nothing comes for so long, though something is due, leads nowhere: a new one is made. */
const SILENT_MS = 2000;
const CONNECT_MS = 1000;
const REFRESH_MS = 5000;
/** How long a start waits for Redis, or for the time-out if that is longer; after that it goes on without. */
const FIRST_MS = 2000;

const retryMs = (times: number): number => Math.min(50 * times, 500);

/**
 * Not `commandTimeout`: ioredis counts it for its own greeting and for the map of a cluster too, which may take longer
 * than a request can wait. Not `enableAutoPipelining`: what is asked while a batch is under way waits for its answers
 * first, and a slot of a cluster that moves is lost to it for good (redis/ioredis#2075).
 */
const OPTIONS = {
  connectTimeout: CONNECT_MS,
  maxRetriesPerRequest: 0,
  // What was sent and not answered is not sent again: it may have been counted.
  autoResendUnfulfilledCommands: false,
  // A master that has become a replica while we were connected.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
} satisfies RedisOptions;

const openOne = async ([url = '']: string[], socketTimeout: number): Promise<Redis> => {
  const { Redis } = await import('ioredis');
  return new Redis(url, { ...OPTIONS, socketTimeout, retryStrategy: retryMs, enableOfflineQueue: false });
};

/** An IPv6 address stands in brackets in a URL, and nowhere else. */
const nodeOf = ({ hostname, port }: URL) => ({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) });

const openCluster = async (urls: string[], socketTimeout: number): Promise<Cluster> => {
  const { Cluster } = await import('ioredis');
  const nodes = urls.map((url) => new URL(url));
  // User, password and TLS are the same for all nodes, also for those that only the cluster names.
  const [{ username, password, protocol }] = nodes as [URL];
  const cluster = new Cluster(nodes.map(nodeOf), {
    enableOfflineQueue: false,
    clusterRetryStrategy: retryMs,
    slotsRefreshTimeout: CONNECT_MS,
    slotsRefreshInterval: REFRESH_MS,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    // Names are left as they are: certificates are for them, and one that means nothing would keep the others from being asked.
    dnsLookup: (name, callback) => callback(null, name),
    redisOptions: {
      ...OPTIONS,
      socketTimeout,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  });
  // Left alone, a node is connected to by the first request for it, and those that come meanwhile fail. Not before the
  // cluster is ready: its own check takes a node that is being connected to for one that is away, and begins anew.
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

/** One node, or several separated by commas: a cluster. */
export const connectRedis = async (url: string, script: string, timeoutMs: number) => {
  const urls = url.split(',').map((part) => part.trim());
  const client = await (urls.length > 1 ? openCluster : openOne)(urls, Math.max(SILENT_MS, 4 * timeoutMs));
  let problem: string | undefined;
  const noteProblem = (error: Error & { lastNodeError?: Error }) => {
    problem = error.lastNodeError?.message ?? error.message;
  };
  // Without a listener ioredis writes errors to the standard error.
  client.on('error', noteProblem).on('node error', noteProblem);
  const sha = process.getBuiltinModule('node:crypto').createHash('sha1').update(script).digest('hex');
  const deadline = performance.now() + Math.max(FIRST_MS, timeoutMs);
  while (!isReady(client) && performance.now() < deadline) await sleep(5);

  return {
    /** Runs the script on one key. Waits as long as the connection stands: whoever calls has patience of its own. */
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
    /** What has gone wrong with a connection since the last answer. */
    problem: () => problem,
    close: () => client.disconnect(),
  };
};
