import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { type Instances, startInstances } from '../test/instances.ts';
import { POSTGRES_SERVER } from '../test/postgres-database.ts';
import { createWorkbench } from '../test/program.ts';
import { LONG, proof, type Tell } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const ROUNDS = LONG ? 40 : 4;
const LIMIT = 150;
const SINGLES = 60;
const BATCHES = 24;
const BATCH = 13;
const DELETED = 10;

const PET = { name: 'Rex', categoryId: 1 };

type Asked = { status: number; body: { id: number; code: string; key: string; pets: object } };

const ask = async (origin: string, key: string, method: string, path: string, body?: object): Promise<Asked> => {
  const answer = await fetch(`${origin}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
};

const issue = async (origin: string, storeId: number): Promise<string> => {
  const limits = { perMinute: 1_000_000, perDay: 1_000_000, pets: LIMIT };
  const key = { name: 'quota', plan: 'enterprise', limits, storeId };
  return (await ask(origin, ADMIN_KEY, 'POST', '/keys', key)).body.key;
};

const fill = async (origins: readonly string[], key: string) => {
  const at = (index: number): string => origins[index % origins.length] as string;
  const addMany = async (index: number): Promise<Asked & { added: number }> => {
    const seen = await ask(at(index), key, 'POST', '/pets/batch', { pets: Array(BATCH).fill(PET) });
    return { ...seen, added: BATCH };
  };
  const addOne = async (index: number): Promise<Asked & { added: number }> => ({
    ...(await ask(at(index), key, 'POST', '/pets', PET)),
    added: 1,
  });
  const sent = Array.from({ length: SINGLES + BATCHES }, (_, index) =>
    index % 7 < 2 && index < 3.5 * BATCHES ? addMany(index) : addOne(index),
  );
  const seen = await Promise.all(sent);
  for (let index = 0; seen.at(-1)?.body.code !== 'store_full' || index < 3; index += 1) seen.push(await addOne(index));
  const added = seen.filter(({ status }) => status === 201);
  const others = seen.filter(({ status, body }) => status !== 201 && status !== 503 && body.code !== 'store_full');
  expect(others).toEqual([]);
  return { acknowledged: added.reduce((sum, one) => sum + one.added, 0), refused: seen.length - added.length };
};

const raceFor = async (origins: readonly string[], { figure }: Tell): Promise<void> => {
  const [first] = origins as [string];
  let [acknowledged, refused] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const key = await issue(first, 500 + round);
    const used = async () => (await ask(first, key, 'GET', '/usage')).body.pets;
    const filled = await fill(origins, key);
    expect(filled.acknowledged).toBe(LIMIT);
    expect(await used()).toEqual({ limit: LIMIT, used: LIMIT, remaining: 0 });

    const listed = await ask(first, key, 'GET', `/pets?limit=${DELETED}`);
    for (const { id } of listed.body as unknown as { id: number }[]) {
      expect((await ask(first, key, 'DELETE', `/pets/${id}`)).status).toBe(204);
    }
    expect(await used()).toEqual({ limit: LIMIT, used: LIMIT - DELETED, remaining: DELETED });
    const again = await fill(origins, key);
    expect(again.acknowledged).toBe(DELETED);
    expect(await used()).toEqual({ limit: LIMIT, used: LIMIT, remaining: 0 });
    acknowledged += filled.acknowledged + again.acknowledged;
    refused += filled.refused + again.refused;
  }
  figure(`${ROUNDS} stores: ${acknowledged} pets acknowledged, exactly as many as fit; ${refused} requests refused`);
};

const TITLE = `single pets and batches sent together fill a store to its limit of ${LIMIT} pets, never beyond; deleting makes room`;

proof(`on SQLite, ${TITLE}`, async (tell) => {
  const program = bench.start({ directory: bench.directory(), environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY } });
  await raceFor([await program.origin()], tell);
});

describe.skipIf(!POSTGRES_SERVER)('on PostgreSQL', () => {
  let running: Instances;
  beforeAll(async () => {
    running = await startInstances({ count: 3 });
  });
  afterAll(() => running?.stop());

  proof(`on three instances over PostgreSQL, ${TITLE}`, async (tell) => {
    await raceFor(
      running.instances.map(({ origin }) => origin),
      tell,
    );
  });
});
