import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bindRepositories, type Repositories } from '../src/compose/repositories.ts';
import type { EventType } from '../src/kernel/event.ts';
import { SYSTEM_CALL } from '../src/kernel/operation.ts';
import type { Database } from '../src/storage/database.ts';
import type { Sql } from '../src/storage/sql.ts';
import { openSqlite } from '../src/storage/sqlite/database.ts';
import { createLocalArrivals } from '../src/streaming/arrivals.ts';
import { sequenceInTransaction } from '../src/streaming/sequencer.sql.ts';
import { createTestClock } from './clock.ts';
import { insertWebhookKey, WEBHOOK_KEY } from './webhook-key.ts';

export const OWN = 2n;
/**
 * The rows of these stores have the same ids as the rows of store 2, which is under test. One store id is lower than 2,
 * and the other store id is higher, because lists are read in both directions.
 */
export const TWINS = [1n, 3n];
export const ANSWER = { fingerprint: new Uint8Array([1]), body: '{}', version: 1n, location: null };

export type Bound = Repositories & { sql: Sql };
export type World = { database: Database<Bound, Bound>; now: number; close(): Promise<void> };

export const openWorld = (): World => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  const clock = createTestClock();
  let made = 0;
  const randomText = (length: number) => {
    made += 1;
    return `${made}`.padStart(6, '0').padEnd(length, '0');
  };
  const keyChanges = { publish: () => undefined };
  const bindAll = bindRepositories({
    clock,
    randomText,
    keyChanges,
    sequencer: sequenceInTransaction(createLocalArrivals()),
  });
  const database = openSqlite<Bound, Bound>({
    path: join(directory, 'petstore.db'),
    environment: 'production',
    bind: (sql, call) => ({ ...bindAll(sql, call), sql }),
  });
  const close = async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  };
  return { database, now: clock(), close };
};

export const write = <Result>({ database }: World, body: (repositories: Bound) => Result | Promise<Result>) =>
  database.write({ ...SYSTEM_CALL, storeId: OWN }, body);

export const pet = (name: string, categoryId = 1n, status: 'available' | 'pending' | 'sold' = 'available') => ({
  name,
  categoryId,
  status,
});
export const order = (now: number, petId = 1n) => ({
  petId,
  status: 'placed' as const,
  placedByKeyId: 'key_own',
  placedAt: now,
  updatedAt: now,
  expiresAt: now + 1000,
});
export const webhook = (id: string, now: number) => ({
  id,
  url: 'https://own.example.org/',
  events: ['pet.created', 'pet.deleted'] as EventType[],
  enabled: true,
  disabledReason: null,
  createdAt: now,
  keyId: WEBHOOK_KEY.id,
  isOperators: id === 'wh_operator',
});

export const settle = async (world: World) => {
  await write(
    world,
    async ({ stores, pets, categories, orders, webhooks, events, idempotency, sql, ...repositories }) => {
      await stores.open(OWN);
      await insertWebhookKey(repositories);
      await pets.insertMany([pet('ann'), pet('bob', 1n, 'pending'), pet('cid', 2n, 'sold'), pet('abe', 2n)]);
      await categories.insert('own', 1000n);
      await orders.insert(order(world.now));
      await orders.insert({ ...order(world.now, 2n), status: 'approved', expiresAt: null });
      for (const id of ['wh_one', 'wh_two', 'wh_operator']) await webhooks.insert(webhook(id, world.now), 'whsec_own');
      for (const type of ['pet.created', 'pet.deleted', 'key.created', 'webhook.test'] as const) {
        await events.append({ type, object: { of: 'own' }, petId: 1n });
      }
      await idempotency.keep('key_own', 'once', ANSWER);
      await webhooks.fanOut(99);
      // If several instances add categories at the same time, adjacent ranges of category ids are stored in separate
      // rows, like these two.
      await sql.run('INSERT INTO category_runs VALUES ($1, 5000, 5004), ($1, 5005, 5009)', [OWN]);
      await events.append({ type: 'pet.created', object: { of: 'own' }, petId: 2n });
    },
  );
};

const tablesOf = async (sql: Sql) => {
  const rows = await sql.all<{ table: string; column: string }>(
    `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t JOIN pragma_table_info(t.name) c
     WHERE t.type = 'table' AND t.name <> 'keys' ORDER BY t.name, c.cid`,
    [],
  );
  const tables = Map.groupBy(rows, ({ table }) => table);
  return [...tables]
    .map(([table, columns]) => ({ table, columns: columns.map(({ column }) => column) }))
    .filter(({ columns }) => columns.includes('store_id'));
};

const TWIN_VALUES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['name', 'url', 'secret', 'body', 'response_body', 'placed_by_key_id', 'actor_key_id'].map((column) => [
      column,
      `'of a twin'`,
    ]),
  ),
  data: `'{"object":{"of":"a twin"}}'`,
  version: 'version + 100',
  sequence: 'sequence + 2',
  count: 'count + 100',
};

export const addTwins = (world: World) =>
  write(world, async ({ sql }) => {
    await sql.writeCounters();
    const tables = await tablesOf(sql);
    for (const twin of TWINS) {
      const differing = { ...TWIN_VALUES, store_id: `${twin}`, rowid: `rowid + ${twin}000` };
      await sql.run(
        `INSERT INTO stores (id, created_at, last_sequence, reset_at)
         SELECT ${twin}, created_at, last_sequence + 100, ${twin === TWINS[0] ? 1 : 'NULL'} FROM stores WHERE id = $1`,
        [OWN],
      );
      for (const { table, columns: shown } of tables) {
        // Gives the twins' stored responses high row numbers, which do not collide with the row numbers that the
        // service chooses.
        const columns = table === 'idempotency' ? [...shown, 'rowid'] : shown;
        const values = columns.map((column) => differing[column as keyof typeof differing] ?? column);
        await sql.run(
          `INSERT OR IGNORE INTO ${table} (${columns.join(', ')})
           SELECT ${values.join(', ')} FROM ${table} WHERE store_id = $1`,
          [OWN],
        );
      }
      const { columns = [] } = tables.find(({ table }) => table === 'deliveries') ?? {};
      const values = columns.map((column) => (column === 'id' ? `'a' || id` : column));
      await sql.run(`INSERT INTO deliveries SELECT ${values.join(', ')} FROM deliveries WHERE store_id = $1`, [twin]);
    }
  });

export const dump = (world: World, storeIds: readonly bigint[]) =>
  write(world, async ({ sql }) => {
    await sql.writeCounters();
    const among = `IN (${storeIds.join(', ')})`;
    const dumped: Record<string, unknown> = { stores: await sql.all(`SELECT * FROM stores WHERE id ${among}`, []) };
    for (const { table } of await tablesOf(sql)) {
      dumped[table] = await sql.all(`SELECT * FROM ${table} WHERE store_id ${among} ORDER BY 1, 2, 3`, []);
    }
    return Bun.inspect(dumped, { depth: 9 });
  });
