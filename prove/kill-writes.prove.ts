import { Database } from 'bun:sqlite';
import { afterAll, expect } from 'bun:test';
import { join } from 'node:path';
import { createWorkbench } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { LONG, proof } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const ADMIN_KEY = 'an-admin-key-of-the-operator';
const ROUNDS = LONG ? 500 : 20;
const READY_MS = 1000;
const COUNTED_MS = 2000;
const CALLERS = 16;

type Pet = { id: number; name: string };

const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };

const startOn = async (directory: string) => {
  const startedAt = performance.now();
  const program = bench.start({ directory, environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY } });
  const origin = await program.origin();
  const ready = (await fetch(`${origin}/readyz`)).status === 200;
  return { program, origin, ready, startMs: performance.now() - startedAt };
};

const add = async (origin: string, name: string): Promise<Pet | undefined> => {
  const request = { method: 'POST', headers, body: JSON.stringify({ name, categoryId: 1 }) };
  for (;;) {
    const answer = await fetch(`${origin}/v1/pets`, request).catch(() => undefined);
    if (answer?.status === 503) continue;
    return answer?.status === 201 ? ((await answer.json().catch(() => undefined)) as Pet | undefined) : undefined;
  }
};

const addUntilKilled = async (origin: string, round: number, kill: () => void, killAt: number): Promise<Pet[]> => {
  const acknowledged: Pet[] = [];
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let turn = 0; ; turn++) {
      const pet = await add(origin, `round ${round}, caller ${caller}, turn ${turn}`);
      if (!pet) return;
      acknowledged.push(pet);
      if (acknowledged.length === killAt) kill();
    }
  });
  await Promise.all(callers);
  return acknowledged;
};

const listAll = async (origin: string): Promise<Pet[]> => {
  const all: Pet[] = [];
  let next: string | undefined = `${origin}/v1/pets?limit=100`;
  while (next) {
    const answer: Response = await fetch(next, { headers });
    all.push(...((await answer.json()) as Pet[]));
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return all;
};

const highestId = async (origin: string): Promise<number> => {
  const [newest] = (await (await fetch(`${origin}/v1/pets?order=desc&limit=1`, { headers })).json()) as Pet[];
  return newest?.id ?? 0;
};

proof(
  `${ROUNDS} kills during concurrent writes: nothing is lost, duplicated or reused, and the service is ready again within a second`,
  async ({ figure, time }) => {
    const directory = bench.directory();
    const acknowledged: Pet[] = [];
    const startTimes: number[] = [];

    for (let round = 0; round < ROUNDS; round++) {
      const { program, origin, ready, startMs } = await startOn(directory);
      expect(ready).toBe(true);
      startTimes.push(startMs);
      const highest = await highestId(origin);
      const added = await addUntilKilled(origin, round, () => program.signal('SIGKILL'), 5 + 7 * (round % 20));
      expect(Math.min(...added.map(({ id }) => id))).toBeGreaterThan(highest);
      acknowledged.push(...added);
      await program.ended();
    }

    const { origin } = await startOn(directory);
    const kept = await listAll(origin);
    const names = new Map(kept.map(({ id, name }) => [id, name]));
    const lost = acknowledged.filter(({ id, name }) => names.get(id) !== name);
    figure(`${lost.length} of ${acknowledged.length} acknowledged writes lost`);
    expect(lost).toEqual([]);
    expect(new Set(kept.map(({ name }) => name)).size).toBe(kept.length);
    expect(new Set(acknowledged.map(({ id }) => id)).size).toBe(acknowledged.length);
    time('ready again after', Math.max(...startTimes), READY_MS);
  },
);

proof('a kill loses at most two seconds of counted requests', async ({ time }) => {
  const directory = bench.directory();
  const { program, origin } = await startOn(directory);
  const body = JSON.stringify({ name: 'counted', plan: 'free' });
  const issued = (await (await fetch(`${origin}/v1/keys`, { method: 'POST', headers, body })).json()) as {
    id: string;
    key: string;
  };
  const list = (at: string) => fetch(`${at}/v1/pets`, { headers: { Authorization: `Bearer ${issued.key}` } });
  for (let count = 0; count < 9; count++) await list(origin);
  const countedAt = performance.now();

  const file = new Database(join(directory, 'data', 'petstore.db'), { readonly: true });
  const counted = file.query("SELECT used FROM windows WHERE subject = ? AND name = 'day'");
  const onDisk = () => (counted.get(issued.id) as { used: number } | null)?.used;
  await waitFor('the counts are on disk', onDisk, (used) => used === 9);
  time('counts written to disk after', performance.now() - countedAt, COUNTED_MS);
  file.close();
  program.signal('SIGKILL');
  await program.ended();

  const again = await startOn(directory);
  expect((await list(again.origin)).headers.get('ratelimit')).toContain(`"day";r=${1000 - 10};`);
});
