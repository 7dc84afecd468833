import { readFileSync, statSync } from 'node:fs';
import { compare, p99 } from './compare.ts';
import { type Kind, runLoad } from './load.ts';
import { usageOf } from './processes.ts';
import type { Answer } from './questions.ts';
import { issueKey, type Server, sqlite, startService } from './servers.ts';
import type { Setting } from './works.ts';

const ASKS_EVERY_MS = 10;
const SECONDS = 5;
const GOODPUT = 0.85;
const ADMITTED_MS = 100;

/**
 * Measures latencies with a separate caller that sends one request at a time. The load generator is so busy that
 * responses wait inside it, and the latencies that it reports include this wait.
 */
const callCalmly = ({ origin }: Server, key: string) => {
  const tookMs: number[] = [];
  let isOver = false;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = '{"name":"Rex","categoryId":1,"status":"available"}';
  const calling = (async () => {
    while (!isOver) {
      const sentAt = performance.now();
      const answer = await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      if (answer.status === 201) tookMs.push(performance.now() - sentAt);
      await Bun.sleep(ASKS_EVERY_MS);
    }
  })();
  return async (): Promise<number[]> => {
    isOver = true;
    await calling;
    return tookMs;
  };
};

const servedMs = (log: string, from: number): number[] =>
  readFileSync(log)
    .subarray(from)
    .toString()
    .split('\n')
    .filter((line) => line.includes('"status":201'))
    .map((line) => Number(/"durationMs":([\d.]+)/.exec(line)?.[1]));

const NAMES = { get: '`GET /pets/{id}`', create: 'durable `POST`' } as const;

export const askOverload = async ({ database, log, pets, cursorFile, rounds }: Setting): Promise<Answer[]> => {
  const server = await startService(sqlite(database), log);
  const key = await issueKey(server);
  const load = (kind: Kind) => ({ kind, key, pets, cursorFile });
  const peakOf = async (kind: Kind): Promise<number> => {
    const readings = await compare([server], { ...load(kind), seconds: 2, connections: 256 }, rounds);
    return readings.ours?.perSecond ?? 0;
  };

  const askHalf = async (kind: keyof typeof NAMES): Promise<Answer> => {
    const rate = Math.round((await peakOf(kind)) / 2);
    const [before, startedAt] = [usageOf(server.pid).cpuSeconds, performance.now()];
    const { requests, failed, seconds } = await runLoad({
      ...{ ...load(kind), origin: server.origin },
      ...{ connections: 1000, seconds: SECONDS, rate },
    });
    const busy = (usageOf(server.pid).cpuSeconds - before) / ((performance.now() - startedAt) / 1000);
    const sent = Math.round(requests / seconds);
    return {
      question: `${NAMES[kind]} at half the peak rate over 1,000 connections (${rate} a second requested, ${sent} sent)`,
      promise: '0 refused',
      answer: `${failed} of ${requests} refused, the core ${Math.round(100 * busy)} % busy`,
      isMet: failed === 0,
    };
  };

  const askClosed = async (connections: number): Promise<Answer> => {
    const peak = await peakOf('create');
    const from = statSync(log).size;
    const endCalls = callCalmly(server, key);
    const over = await runLoad({ ...load('create'), origin: server.origin, seconds: SECONDS, connections });
    const calm = p99(await endCalls());
    const after = await runLoad({ ...load('create'), origin: server.origin, seconds: 1, connections: 8 });
    const goodput = (over.requests - over.failed) / over.seconds / peak;
    return {
      question: `${NAMES.create} over ${connections.toLocaleString('en')} connections that never pause`,
      promise: `goodput ≥ ${100 * GOODPUT} % of the peak, admitted p99 ≤ ${ADMITTED_MS} ms, normal again within 1 s`,
      answer: [
        `goodput ${(100 * goodput).toFixed(0)} %`,
        `p99 ${calm.toFixed(0)} ms for another caller meanwhile (${p99(servedMs(log, from)).toFixed(0)} ms in the service)`,
        `${over.failed} refused; then p99 ${after.p99Ms.toFixed(1)} ms, ${after.failed} refused`,
      ].join(', '),
      isMet: goodput >= GOODPUT && calm <= ADMITTED_MS && after.failed === 0,
    };
  };

  try {
    return [await askHalf('get'), await askHalf('create'), await askClosed(1000), await askClosed(2000)];
  } finally {
    await server.stop();
  }
};
