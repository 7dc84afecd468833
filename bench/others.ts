import { p99 } from './compare.ts';
import type { Server } from './servers.ts';

/** The p99 latency of the other callers' requests, in ms, for each HTTP method. */
export type Others = { GET: number; POST: number };

const EVERY_MS = 10;

const BODY = '{"name":"Rex","categoryId":1}';

export const startOthers = ({ origin }: Server, keys: readonly string[]) => {
  const times: Record<keyof Others, number[]> = { GET: [], POST: [] };
  const underway = new Set<Promise<void>>();
  const send = async (method: keyof Others, key: string): Promise<void> => {
    const sentAt = performance.now();
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const answer = await (method === 'GET'
      ? fetch(`${origin}/v1/pets?limit=20&status=available`, { headers })
      : fetch(`${origin}/v1/pets`, { method, headers, body: BODY }));
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${method} of another caller returned ${answer.status}`);
    times[method].push(performance.now() - sentAt);
  };
  const calls = keys.flatMap((key) => [() => send('GET', key), () => send('POST', key)]);
  let isOver = false;
  const sending = (async () => {
    for (let dueAt = performance.now(), count = 0; !isOver; dueAt += EVERY_MS, count += 1) {
      await Bun.sleep(Math.max(0, dueAt - performance.now()));
      const sent = calls[count % calls.length]?.() as Promise<void>;
      underway.add(sent);
      // Without this handler, the runtime would report a failed request as an unhandled rejection before
      // `Promise.all(underway)` could report it.
      sent.then(() => underway.delete(sent)).catch(() => undefined);
    }
  })();
  return async (): Promise<Others> => {
    isOver = true;
    await sending;
    await Promise.all(underway);
    return { GET: p99(times.GET), POST: p99(times.POST) };
  };
};
