import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMoves, readAll } from './moves.ts';
import { createPostgresDatabase, POSTGRES_SERVER } from './postgres-database.ts';
import { createWorkbench } from './program.ts';
import { query } from './servers/databases.ts';

const bench = createWorkbench();
const drops: (() => Promise<void>)[] = [];
afterAll(async () => {
  await bench.clear();
  for (const drop of drops) await drop();
});

const READ_ONLY = { PETSTORE_READ_ONLY: 'true' };
const PET = { method: 'POST', body: { name: 'Rex', categoryId: 1 }, idempotencyKey: 'pet-1' };
const ENGINES = [['SQLite'], ...(POSTGRES_SERVER ? [['PostgreSQL']] : [])];

const createPlace = async (engine: string, directory: string) => {
  const file = join(directory, 'data', 'petstore.db');
  if (engine === 'SQLite') return { url: `sqlite:${file}`, readState: async () => readFileSync(file).toHex() };
  const { url, drop } = await createPostgresDatabase('production');
  drops.push(drop);
  const tables = ['usage', 'windows', 'events', 'deployment', 'keys', 'pets'];
  const readState = async () => {
    const states = await Promise.all(tables.map((table) => query(url, `SELECT * FROM ${table} AS t ORDER BY t::text`)));
    return JSON.stringify(states);
  };
  return { url, readState };
};

describe.each(ENGINES)('a read-only service on %s', (engine) => {
  test('answers reads like the last service, refuses writes with 503, and changes nothing', async () => {
    const { directory, serve } = createMoves(bench);
    const { url, readState } = await createPlace(engine, directory);
    const writer = await serve(url);
    expect((await writer.ask('/pets', PET)).status).toBe(201);
    const stored = await readAll(writer.ask);
    await writer.stop();

    const before = await readState();
    const readers = await Promise.all([serve(url, READ_ONLY), serve(url, READ_ONLY)]);
    for (const { ask, origin, program, stop } of readers) {
      expect(await readAll(ask)).toEqual(stored);
      expect((await fetch(`${origin}/readyz`)).status).toBe(200);
      const other = await ask('/pets', { ...PET, idempotencyKey: 'pet-2' });
      expect([other.status, other.body.message]).toEqual([503, expect.stringContaining('read-only')]);
      expect((await ask('/pets/1', { method: 'DELETE' })).status).toBe(503);
      expect((await stop()).exitCode).toBe(0);
      expect(program.written.out).not.toMatch(/"level":"(error|warn)"/);
    }
    expect(await readState()).toBe(before);

    const again = await serve(url);
    expect((await again.ask('/pets', { ...PET, idempotencyKey: 'pet-3' })).body).toMatchObject({ id: 2 });
    await again.stop();
  });

  test('does not create or migrate a database', async () => {
    const { directory, refusal } = createMoves(bench);
    const { url } = await createPlace(engine, directory);
    if (engine === 'SQLite') {
      const missing = 'there is no database at';
      expect(await refusal(url, READ_ONLY)).toEqual({ exitCode: 1, err: expect.stringContaining(missing) });
      return;
    }
    await query(url, 'UPDATE deployment SET steps = 0');
    const pending = '1 migration pending; run petstore migrate first';
    expect(await refusal(url, READ_ONLY)).toEqual({ exitCode: 1, err: expect.stringContaining(pending) });
  });
});
