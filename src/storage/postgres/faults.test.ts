import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type BehindProxy, openBehindProxy } from '../../../test/postgres-behind-proxy.ts';
import { POSTGRES_SERVER } from '../../../test/postgres-database.ts';
import { query } from '../../../test/servers/databases.ts';
import { waitFor } from '../../../test/wait-for.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';

const UNAVAILABLE = { code: 'unavailable', retryAfterSeconds: 1 };

describe.skipIf(!POSTGRES_SERVER)('a PostgreSQL server that fails', () => {
  let place: BehindProxy;
  beforeEach(async () => {
    place = await openBehindProxy();
  });
  afterEach(() => place.close());

  const name = () => new URL(place.url).pathname.slice(1);

  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (thrown) => thrown,
    );
  const endConnections = () =>
    query(
      place.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()`,
      [name()],
    );

  test('by closing all idle connections causes no failed request', async () => {
    await endConnections();
    await waitFor('all are gone', async () => {
      const [row] = await query(
        POSTGRES_SERVER as string,
        'SELECT count(*) AS n FROM pg_stat_activity WHERE datname = $1',
        [name()],
      );
      return row.n === '0';
    });
    await waitFor('they have left the pool', async () => (await failure(place.read())) === undefined);
    await place.open(2);
    expect(await place.stored()).toEqual([1, 2]);
  });

  test('in the middle of a transaction stores no part of it', async () => {
    const seen: string[] = [];
    const error = await failure(
      place.database.write(SYSTEM_CALL, async (sql) => {
        sql.afterCommit(() => seen.push('never'));
        await sql.one('INSERT INTO stores (id, created_at, last_sequence) VALUES (2, 0, 0) RETURNING id', []);
        await query(place.url, 'SELECT pg_terminate_backend($1)', [Number(sql.writer)]);
        await sql.one('SELECT 1 AS one', []);
      }),
    );
    expect(error).toMatchObject(UNAVAILABLE);
    expect([seen, await place.stored()]).toEqual([[], [1]]);
  });

  test('to accept writes gets no new connections', async () => {
    await query(place.url, `ALTER DATABASE ${name()} SET default_transaction_read_only = on`);
    await endConnections();
    const error = await failure(place.open(2));
    expect(error).toMatchObject(UNAVAILABLE);
    await query(place.url, `BEGIN READ WRITE; ALTER DATABASE ${name()} RESET default_transaction_read_only; COMMIT`);
    await place.isServedAgain();
  });
});
