import { readFileSync, statSync } from 'node:fs';
import { compare, p99 } from './compare.ts';
import { runLoad } from './load.ts';
import type { Answer } from './questions.ts';
import { issueKey, type Server, sqlite, startService } from './servers.ts';
import type { Setting } from './works.ts';

const ASKS_EVERY_MS = 10;

/**
 * Measures the latency with a separate caller. The load generator's core is fully busy, so its own latencies include its
 * queue.
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

export const askOverload = async ({ database, log, pets, cursorFile, rounds }: Setting): Promise<Answer> => {
  const server = await startService(sqlite(database), log);
  try {
    const key = await issueKey(server);
    const load = { kind: 'create' as const, key, pets, cursorFile };
    const top = await compare([server], { ...load, seconds: 2, connections: 256 }, rounds);
    const peak = top.ours?.perSecond ?? 0;
    const from = statSync(log).size;
    const endCalls = callCalmly(server, key);
    const many = { seconds: 5, connections: 1000, rate: Math.round(2 * peak) };
    const over = await runLoad({ ...load, ...many, origin: server.origin });
    const calm = p99(await endCalls());
    const after = await runLoad({ ...load, origin: server.origin, seconds: 1, connections: 8 });
    const inside = p99(servedMs(log, from));
    const goodput = (over.requests - over.failed) / over.seconds;
    const sent = Math.round(over.requests / over.seconds);
    return {
      question: `durable POST at twice the peak rate (${many.rate} a second requested, ${sent} sent)`,
      promise: 'goodput ≥ 65 % of the peak, admitted p99 ≤ 100 ms, normal again within 1 s',
      answer: [
        `goodput ${((100 * goodput) / peak).toFixed(0)} %`,
        `p99 ${calm.toFixed(0)} ms for another caller meanwhile (${inside.toFixed(0)} ms in the service, ${over.p99Ms.toFixed(0)} ms including the generator's own queue)`,
        `${over.failed} refused; then p99 ${after.p99Ms.toFixed(1)} ms, ${after.failed} refused`,
      ].join(', '),
      isMet: goodput >= 0.65 * peak && calm <= 100 && after.failed === 0,
    };
  } finally {
    await server.stop();
  }
};
