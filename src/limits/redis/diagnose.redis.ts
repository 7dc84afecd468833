import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { compareClocks, type Finding, ok, warning, wrong } from '../../kernel/finding.ts';
import type { RedisAddress } from './address.ts';
import { withNode } from './connection.redis.ts';

const CONNECT_MS = 2000;
const CHECK_MS = 10_000;
const ASKED = 5;
const PART = 'Redis';

const shown = ({ nodes, master }: RedisAddress): string => {
  const hosts = nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
  return master ? `${master} of the Sentinels ${hosts}` : hosts;
};

const field = (info: string, name: string): string => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '?';

const measure = async (client: Redis): Promise<number> => {
  const took: number[] = [];
  for (let asked = 0; asked < ASKED; asked += 1) {
    const beganAt = performance.now();
    await client.ping();
    took.push(performance.now() - beganAt);
  }
  return took.sort((a, b) => a - b)[Math.floor(ASKED / 2)] as number;
};

const diagnoseLatency = (ms: number, timeoutMs: number): Finding => {
  if (ms * 4 < timeoutMs) return ok(PART, `answers in ${ms.toFixed(1)} ms`);
  const advice = 'move Redis closer to the service, or raise PETSTORE_REDIS_TIMEOUT_MS';
  return warning(PART, `answers in ${ms.toFixed(0)} ms`, advice);
};

const diagnoseEviction = (info: string): Finding => {
  const policy = field(info, 'maxmemory_policy');
  if (policy === 'noeviction' || field(info, 'maxmemory') === '0') return ok(PART, `evicts nothing (${policy})`);
  return warning(PART, `evicts rate-limit windows when memory runs low (${policy})`, 'set maxmemory-policy noeviction');
};

const diagnoseClock = async (client: Redis): Promise<Finding> => {
  const askedAt = Date.now();
  const [seconds, micros] = (await client.time()).map(Number) as [number, number];
  return compareClocks(PART, 'its', seconds * 1000 + micros / 1000, askedAt);
};

const check = async (client: Redis, where: string, timeoutMs: number): Promise<Finding[]> => {
  const [server, memory] = [await client.info('server'), await client.info('memory')];
  return [
    ok(PART, `${where} is Redis ${field(server, 'redis_version')}`),
    diagnoseLatency(await measure(client), timeoutMs),
    diagnoseEviction(memory),
    await diagnoseClock(client),
  ];
};

const diagnoseNode = async (address: RedisAddress, timeoutMs: number): Promise<Finding[]> => {
  const where = shown(address);
  const timeouts = { connectTimeout: CONNECT_MS, commandTimeout: CONNECT_MS, sentinelCommandTimeout: CONNECT_MS };
  try {
    return await withNode(address, timeouts, async (client, problem) => {
      // If the configured database number does not exist, ioredis reports an error but still connects to database 0.
      if (problem()) throw problem();
      const late = sleep(CHECK_MS, undefined, { ref: false }).then(() => {
        throw new Error(`no reply within ${CHECK_MS / 1000} s`);
      });
      return Promise.race([check(client, where, timeoutMs), late]);
    });
  } catch (error) {
    const reason = (error as Error).message;
    return [wrong(PART, `cannot use ${where}: ${reason}`, 'check that Redis is running and that REDIS_URL is correct')];
  }
};

export const diagnoseRedis = async (address: RedisAddress, timeoutMs: number): Promise<Finding[]> => {
  const each = address.master ? [address] : address.nodes.map((node) => ({ ...address, nodes: [node] }));
  return (await Promise.all(each.map((one) => diagnoseNode(one, timeoutMs)))).flat();
};
