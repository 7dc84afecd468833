import { afterEach, beforeEach, describe, expect } from 'bun:test';
import type { Database } from '../src/database/database.ts';
import { openPostgres } from '../src/database/postgres.ts';
import type { Sql } from '../src/database/sql.ts';
import { OWN_CALL } from '../src/kernel/operation.ts';
import { createPostgresDatabase, POSTGRES_SERVER } from '../test/postgres-database.ts';
import { query } from '../test/servers/databases.ts';
import { startProxy } from '../test/servers/proxy.ts';
import { waitFor } from '../test/wait-for.ts';
import { proof, type Tell } from './proof.ts';

const UNAVAILABLE = { code: 'unavailable', retryAfterSeconds: 1 };
const LONGEST_MS = 5000;
const AGAIN_MS = 2000;
/** The connections that write. */
const WRITERS = 12;

describe.skipIf(!POSTGRES_SERVER)('a PostgreSQL server that fails', () => {
  let url: string;
  let drop: () => Promise<void>;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let database: Database<Sql, Sql>;
  beforeEach(async () => {
    ({ url, drop } = await createPostgresDatabase('production'));
    proxy = await startProxy(Number(new URL(url).port || 5432));
    const through = new URL(url);
    through.host = `127.0.0.1:${proxy.port}`;
    database = await openPostgres<Sql, Sql>({ url: through.href, environment: 'production', bind: (sql) => sql });
    await Promise.all([read(), open(1)]);
  });
  afterEach(async () => {
    await proxy.restore();
    await database.close();
    await proxy.stop();
    await drop();
  });

  const read = async () => database.read(1n).all('SELECT id FROM stores', []);
  const open = (id: number) =>
    database.write(OWN_CALL, (sql) =>
      sql.run('INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, 0, 0)', [id]),
    );

  /** Expects that the work is told as unavailable, and returns how long that took. */
  const failure = async (work: Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    const error = await work.then(
      () => undefined,
      (thrown) => thrown,
    );
    expect(error).toMatchObject(UNAVAILABLE);
    return performance.now() - startedAt;
  };
  const tellServed = async ({ time }: Tell) => {
    const backAt = performance.now();
    await waitFor('it is served again', async () => {
      const told = await Promise.allSettled([read(), open(Date.now())]);
      return told.every(({ status }) => status === 'fulfilled');
    });
    time('used again after', performance.now() - backAt, AGAIN_MS);
  };

  proof(
    'a PostgreSQL that does not answer holds nobody for more than five seconds, and is used again at once',
    async (tell) => {
      proxy.blackHole();
      const times = await Promise.all([
        ...Array.from({ length: 30 }, () => failure(read())),
        ...Array.from({ length: 30 }, (_, index) => failure(open(100 + index))),
      ]);
      expect(database.waiting()).toBe(0);
      tell.time('longest of 60', Math.max(...times), LONGEST_MS);
      await proxy.restore();
      await tellServed(tell);
    },
  );

  proof('a PostgreSQL that refuses connections is told at once, and is used again at once', async (tell) => {
    await proxy.cut();
    for (const work of [read, () => open(2)]) tell.time('told after', await failure(work()), 1000);
    await proxy.restore();
    await tellServed(tell);
  });

  proof('a commit that is not answered is told as unavailable, and nothing is done after it', async ({ time }) => {
    const told: string[] = [];
    const tookMs = await failure(
      database.write(OWN_CALL, async (sql) => {
        sql.afterCommit(() => told.push('never'));
        await sql.one('INSERT INTO stores (id, created_at, last_sequence) VALUES (2, 0, 0) RETURNING id', []);
        proxy.blackHole();
      }),
    );
    expect(told).toEqual([]);
    time('told after', tookMs, LONGEST_MS);
  });

  proof(
    'a row that is kept from us is told as unavailable within 3 s, and the connection is used on',
    async ({ time }) => {
      const lock = async (sql: Sql) => sql.one(`SELECT id FROM stores WHERE id = 1 ${sql.lockRows}`, []);
      const tookMs = await database.write(OWN_CALL, async (sql) => {
        await lock(sql);
        return failure(database.write(OWN_CALL, lock));
      });
      await open(2);
      time('told after', tookMs, 3000);
    },
  );

  proof('who finds no connection waits two seconds for one, and no longer', async ({ time }) => {
    let taken = 0;
    const { promise: over, resolve: letGo } = Promise.withResolvers<void>();
    const holders = Array.from({ length: WRITERS }, () =>
      database.write(OWN_CALL, async (sql) => {
        await sql.one('SELECT 1 AS one', []);
        taken += 1;
        await over;
      }),
    );
    await waitFor('all connections are taken', () => taken === WRITERS);
    const tookMs = await failure(open(2));
    expect(tookMs).toBeGreaterThanOrEqual(1900);
    time('told after', tookMs, 2400);
    expect(await read()).toHaveLength(1);
    letGo();
    await Promise.all(holders);
    expect((await query(url, 'SELECT id FROM stores')).map(({ id }) => Number(id))).toEqual([1]);
  });
});
