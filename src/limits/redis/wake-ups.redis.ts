import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';
import type { RedisAddress } from './address.ts';
import { openClient } from './connection.redis.ts';

const CHANNEL = 'petstore:deliveries';
const PAUSE_MS = 100;
const RETRY_MS = 1000;
const SILENT_MS = 2000;

const ignore = (): void => undefined;

/** The leader also polls the database, so a lost message only causes a delay. For this reason, errors are ignored. */
export const connectWakeUps = (address: RedisAddress, wake: (storeId: bigint) => void) => {
  const due = new Set<bigint>();
  const clients: (Redis | Cluster)[] = [];
  let publisher: Redis | Cluster | undefined;
  let timer: Timer | undefined;
  let isClosed = false;

  const receive = (_channel: string, stores: string): void => {
    for (const id of stores.split(',')) if (/^\d{1,18}$/.test(id)) wake(BigInt(id));
  };
  const open = async (isReady: (client: Redis | Cluster) => void): Promise<void> => {
    const client = await openClient(address, SILENT_MS).catch(ignore);
    if (isClosed) return client?.disconnect();
    if (!client) return sleep(RETRY_MS, undefined, { ref: false }).then(() => open(isReady));
    clients.push(client);
    client.on('error', ignore).on('node error', ignore).on('message', receive);
    client.on('ready', () => isReady(client));
  };
  // A connection that has subscribed to a channel cannot publish, so there are two connections.
  void open((client) => {
    publisher = client;
  });
  void open((client) => void client.subscribe(CHANNEL).catch(ignore));

  const publish = (): void => {
    timer = undefined;
    if (due.size === 0) return;
    publisher?.publish(CHANNEL, [...due].join()).catch(ignore);
    due.clear();
    timer = setTimeout(publish, PAUSE_MS).unref();
  };

  return {
    add(storeId: bigint): void {
      due.add(storeId);
      if (!timer) publish();
    },
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      for (const client of clients) client.disconnect();
    },
  };
};
