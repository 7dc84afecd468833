import { afterAll, expect } from 'bun:test';
import { join } from 'node:path';
import { readRows } from '../test/database.ts';
import { createWorkbench } from '../test/program.ts';
import { LONG, proof } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const ADMIN_KEY = 'an-admin-key-of-the-operator';
const ROUNDS = LONG ? 100 : 12;
const CALLERS = 12;

type Heard = { id: number; replayed: boolean };

const add = async (origin: string, name: string): Promise<Heard | undefined> => {
  const headers = {
    Authorization: `Bearer ${ADMIN_KEY}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': name.replaceAll(' ', '-'),
  };
  const request = { method: 'POST', headers, body: JSON.stringify({ name, categoryId: 1 }) };
  const send = () => fetch(`${origin}/v1/pets`, request).catch(() => undefined);
  let answer = await send();
  while (answer?.status === 503) answer = await send();
  const body = (await answer?.json().catch(() => undefined)) as { id: number } | undefined;
  if (!answer || !body) return undefined;
  expect(answer.status).toBe(201);
  return { id: body.id, replayed: answer.headers.get('idempotent-replayed') === 'true' };
};

proof(`a caller that retries after each of ${ROUNDS} kills adds no pet twice and loses none`, async ({ figure }) => {
  const directory = bench.directory();
  const ids = new Map<string, number>();
  let cutOff: string[] = [];
  let replays = 0;

  const askAgain = async (origin: string) => {
    const known = [...ids.keys()].slice(-5);
    await Promise.all(
      [...cutOff, ...known].map(async (name) => {
        const heard = await add(origin, name);
        if (!heard) throw new Error(`${name} is not answered`);
        if (heard.replayed) replays += 1;
        if (ids.has(name)) expect(heard).toEqual({ id: ids.get(name) as number, replayed: true });
        ids.set(name, heard.id);
      }),
    );
    cutOff = [];
  };

  for (let round = 0; round < ROUNDS; round++) {
    const program = bench.start({ directory, environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY } });
    const origin = await program.origin();
    await askAgain(origin);
    let answered = 0;
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      for (let turn = 0; ; turn++) {
        const name = `round ${round} caller ${caller} turn ${turn}`;
        const heard = await add(origin, name);
        if (!heard) return cutOff.push(name);
        ids.set(name, heard.id);
        answered += 1;
        if (answered === 1 + 5 * (round % 12)) program.signal('SIGKILL');
      }
    });
    await Promise.all(callers);
    await program.ended();
  }

  const last = bench.start({ directory, environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY } });
  const asked = ids.size + cutOff.length;
  await askAgain(await last.origin());

  const rows = await readRows(join(directory, 'data', 'petstore.db'), 'SELECT id, name FROM pets ORDER BY id');
  expect(rows.length).toBe(asked);
  expect(new Map(rows.map(({ id, name }) => [name, id]))).toEqual(ids);
  const events = await readRows(
    join(directory, 'data', 'petstore.db'),
    `SELECT 1 FROM events WHERE type = 'pet.created'`,
  );
  expect(events.length).toBe(asked);
  expect(replays).toBeGreaterThanOrEqual(ROUNDS);
  figure(`${rows.length} of ${asked} requested pets added, ${replays} responses replayed`);
});
