import { afterAll, beforeAll, expect } from 'bun:test';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { createWorkbench } from '../test/program.ts';
import { mainThreadUsOf } from './processor.ts';
import { LONG, proof } from './proof.ts';

const CONNECTIONS = 8;
const MS = LONG ? 10_000 : 1200;
const MAX_FREE = 6;
/**
 * Maximum time in ms for which the main thread may be busy, on average, while a read waits. If a read waited for one
 * batch from each of the eight connections, this time would be 40 ms.
 */
const MAX_BESIDE_MS = 10;

const rows = Array.from({ length: 999 }, (_, index) =>
  JSON.stringify({ name: `Animal ${index}`, categoryId: 1, text: 'x'.repeat(990) }),
);
const INVALID = Buffer.from(`{"pets":[${rows.join()},{}]}`);

const workbench = createWorkbench();
let program: ReturnType<typeof workbench.start>;
let origin: string;
beforeAll(async () => {
  program = workbench.start({
    directory: workbench.directory(),
    environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY },
  });
  origin = await program.origin();
});
afterAll(() => workbench.clear());

const headersOf = (key: string) => ({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' });

const issueKeys = (count: number, plan: object): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const body = JSON.stringify({ name: 'proof', scopes: ['pets:read', 'pets:write'], ...plan });
      const answer = await fetch(`${origin}/v1/keys`, { method: 'POST', headers: headersOf(ADMIN_KEY), body });
      return ((await answer.json()) as { key: string }).key;
    }),
  );
const FREE = { plan: 'free' };
const UNLIMITED = { plan: 'enterprise', limits: { perMinute: 1_000_000, perDay: 1_000_000_000 } };

const sendInvalid = async (key: string): Promise<number> => {
  const answer = await fetch(`${origin}/v1/pets/batch`, { method: 'POST', headers: headersOf(key), body: INVALID });
  await answer.arrayBuffer();
  return answer.status;
};

const flood = async (keys: readonly string[], isEnough: (last: number) => boolean) => {
  const counts: Record<number, number> = {};
  const sendSome = async (_: unknown, connection: number) => {
    for (let status = 0; !isEnough(status); counts[status] = (counts[status] ?? 0) + 1) {
      status = await sendInvalid(keys[connection % keys.length] as string);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendSome));
  return counts;
};

const readFor = async (ms: number, key: string) => {
  const times: number[] = [];
  const startedAt = performance.now();
  let ranUs = 0;
  while (performance.now() - startedAt < ms) {
    const [sentAt, before] = [performance.now(), mainThreadUsOf(program.child.pid)];
    const answer = await fetch(`${origin}/v1/pets?limit=1`, { headers: headersOf(key) });
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
    times.push(performance.now() - sentAt);
    ranUs += mainThreadUsOf(program.child.pid) - before;
    await Bun.sleep(2);
  }
  const sorted = times.toSorted((one, other) => one - other);
  return { reads: times.length, ranMs: ranUs / 1000 / times.length, medianMs: sorted[sorted.length >> 1] as number };
};

for (const count of [1, CONNECTIONS]) {
  const who = count === 1 ? 'one free key' : `${count} free keys`;
  proof(
    `${who} on ${CONNECTIONS} connections: at most ${MAX_FREE} invalid batches of 1 MiB per key and minute`,
    async (tell) => {
      const keys = await issueKeys(count, FREE);
      const counts = await flood(keys, (status) => status === 429);
      tell.figure(`${counts[400]} answered 400, then 429`);
      expect(Object.keys(counts)).toEqual(['400', '429']);
      expect(counts[400]).toBeLessThanOrEqual(MAX_FREE * count);
      expect(counts[429]).toBe(CONNECTIONS);
    },
  );

  proof(
    `invalid batches of 1 MiB on ${CONNECTIONS} connections, by ${count === 1 ? 'one key' : `${count} keys`} with the highest limits: other callers are served in between`,
    async (tell) => {
      const [reader = '', ...keys] = await issueKeys(1 + count, UNLIMITED);
      const alone = await readFor(MS / 4, reader);
      let isOver = false;
      const flooded = flood(keys, () => isOver);
      const meanwhile = await readFor(MS, reader);
      isOver = true;
      const counts = await flooded;
      expect(Object.keys(counts)).toEqual(['400']);
      tell.figure(`${meanwhile.reads} reads during ${counts[400]} batches`);
      tell.figure(`median ${alone.medianMs.toFixed(1)} ms alone, ${meanwhile.medianMs.toFixed(1)} ms during the flood`);
      tell.figure(
        `main thread busy per read: ${alone.ranMs.toFixed(1)} ms alone, ${meanwhile.ranMs.toFixed(1)} ms during the flood`,
      );
      tell.time('main thread busy while a read waits, on average', meanwhile.ranMs, MAX_BESIDE_MS);
    },
  );
}
