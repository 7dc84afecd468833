import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Redis, RedisOptions } from 'ioredis';
import type { RedisAddress } from './address.ts';

/** A connection that is waiting for a reply and receives no data for this many milliseconds is replaced. */
const SILENT_MS = 2000;
const CONNECT_MS = 1000;
const REFRESH_MS = 5000;
/** Startup continues without Redis after this many milliseconds, or after the configured timeout if that is longer. */
const FIRST_MS = 2000;

const retryMs = (times: number): number => Math.min(50 * times, 500);

// `commandTimeout` is not set, because ioredis would also apply it to the handshake and to loading the cluster's
// layout. `enableAutoPipelining` is not set, because commands would then wait for earlier replies, and ioredis would
// not notice when a cluster slot moves to another node (redis/ioredis#2075).
const OPTIONS = {
  connectTimeout: CONNECT_MS,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  // If a reply is lost, Redis may already have run the command. A second run would count the same requests twice.
  autoResendUnfulfilledCommands: false,
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
} satisfies RedisOptions;

type NodeOptions = Omit<RedisOptions, 'replyMapping'>;

const openNode = async ({ nodes, master, ...own }: RedisAddress, options: NodeOptions): Promise<Redis> => {
  const { Redis } = await import('ioredis');
  const tls = own.tls && { enableTLSForSentinelMode: true, sentinelTLS: own.tls };
  const where = master ? { sentinels: nodes, name: master, ...tls } : nodes[0];
  return new Redis({ ...own, ...where, ...options });
};

const openCluster = async ({ nodes, db: _, ...own }: RedisAddress, socketTimeout: number): Promise<Cluster> => {
  const { Cluster } = await import('ioredis');
  const cluster = new Cluster(nodes, {
    enableOfflineQueue: false,
    clusterRetryStrategy: retryMs,
    slotsRefreshTimeout: CONNECT_MS,
    slotsRefreshInterval: REFRESH_MS,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    // Passes on host names without resolving them, because TLS certificates are issued for names. If names were
    // resolved here, a single name that cannot be resolved would block all other names.
    dnsLookup: (name, callback) => callback(null, name),
    redisOptions: { ...OPTIONS, ...own, socketTimeout },
  });
  // Connects to all nodes early, so that the first request to each node succeeds. Waits until the cluster is ready,
  // because until then, ioredis treats a node that is still connecting as missing.
  const connectAll = (): void => {
    if (cluster.status !== 'ready') return;
    for (const node of cluster.nodes()) if (node.status === 'wait') node.connect().catch(() => undefined);
  };
  cluster.on('ready', connectAll).on('+node', connectAll);
  return cluster;
};

/** `problem` returns the connection error, which is more informative than the error of a failed command. */
export const withNode = async <Result>(
  address: RedisAddress,
  options: NodeOptions,
  use: (node: Redis, problem: () => Error | undefined) => Promise<Result>,
): Promise<Result> => {
  const never = () => null;
  const once = { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: never, sentinelRetryStrategy: never };
  const node = await openNode(address, { ...options, ...once });
  let [problem, unknown]: (Error | undefined)[] = [];
  node.on('error', (error) => {
    problem = unknown ?? error;
  });
  node.on('sentinelError', ({ message }: Error) => {
    if (message.endsWith('invalid reply: null'))
      unknown = new Error(`the Sentinels have no master named ${address.master}`);
  });
  try {
    await node.connect();
    return await use(node, () => problem);
  } catch (error) {
    throw problem ?? error;
  } finally {
    node.disconnect();
  }
};

const askMode = (address: RedisAddress, socketTimeout: number): Promise<unknown> =>
  withNode(address, { ...OPTIONS, socketTimeout, sentinelCommandTimeout: SILENT_MS }, async (node, problem) => {
    const reply = (await node.call('HELLO', '2')) as unknown[];
    const mode = reply[reply.indexOf('mode') + 1];
    if (problem() && mode !== 'cluster') throw problem();
    return mode;
  });

/** A managed cluster often has a single address, so only the server can say whether it is part of a cluster. */
export const openClient = async (address: RedisAddress, socketTimeout: number): Promise<Redis | Cluster> => {
  const { nodes, master } = address;
  const openOne = () => openNode(address, { ...OPTIONS, socketTimeout, retryStrategy: retryMs });
  if (master) return askMode(address, socketTimeout).then(openOne);
  const modes = nodes.map((node) => askMode({ ...address, nodes: [node] }, socketTimeout));
  const mode = await Promise.any(modes).catch(({ errors }: AggregateError) => {
    throw errors[0];
  });
  if (mode === 'cluster') return openCluster(address, socketTimeout);
  if (mode === 'sentinel') throw new Error('is a Sentinel: use redis+sentinel://<host>:<port>,…/<master name>');
  if (nodes.length > 1) throw new Error('several Redis nodes are listed, but they are not a cluster');
  return openOne();
};

const isClientReady = (client: Redis | Cluster): boolean =>
  client.status === 'ready' &&
  (!('nodes' in client) || client.nodes('master').every(({ status }) => status === 'ready'));

type Counting = (Redis | Cluster) & { count(key: string, ...words: string[]): Promise<unknown> };

export const connectRedis = async (address: RedisAddress, script: string, timeoutMs: number) => {
  let client: Counting | undefined;
  let isClosed = false;
  let problem: string | undefined;
  const noteProblem = (error: Error & { lastNodeError?: Error }) => {
    problem = error.lastNodeError?.message ?? error.message;
  };
  const open = async (): Promise<void> => {
    for (let times = 1; !client && !isClosed; times += 1) {
      try {
        client = (await openClient(address, Math.max(SILENT_MS, 4 * timeoutMs))) as Counting;
        client.defineCommand('count', { numberOfKeys: 1, lua: script });
        client.on('error', noteProblem).on('node error', noteProblem);
        if (isClosed) client.disconnect();
      } catch (error) {
        noteProblem(error as Error);
        await sleep(retryMs(times));
      }
    }
  };
  const isReady = () => client !== undefined && isClientReady(client);
  const deadline = performance.now() + Math.max(FIRST_MS, timeoutMs);
  void open();
  while (!isReady() && performance.now() < deadline) await sleep(5);

  return {
    async run(key: string, words: readonly string[]): Promise<unknown> {
      if (!client) throw new Error('not connected');
      const reply = await client.count(key, ...words);
      problem = undefined;
      return reply;
    },
    isReady,
    problem: () => problem,
    close() {
      isClosed = true;
      client?.disconnect();
    },
  };
};
