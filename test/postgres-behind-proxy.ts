import { SYSTEM_CALL } from '../src/kernel/operation.ts';
import { isUnavailable } from '../src/storage/postgres/connection.ts';
import { openPostgres } from '../src/storage/postgres/database.ts';
import type { Sql } from '../src/storage/sql.ts';
import { DATABASE_TIMEOUT_MS } from './patience.ts';
import { createPostgresDatabase } from './postgres-database.ts';
import { query } from './servers/databases.ts';
import { startProxy } from './servers/proxy.ts';
import { waitFor } from './wait-for.ts';

export const openBehindProxy = async () => {
  const { url, drop } = await createPostgresDatabase('production');
  const proxy = await startProxy(Number(new URL(url).port || 5432));
  const through = new URL(url);
  through.host = `127.0.0.1:${proxy.port}`;
  const database = await openPostgres<Sql, Sql>({
    url: through.href,
    environment: 'production',
    timeoutMs: DATABASE_TIMEOUT_MS,
    connections: 22,
    bind: (sql) => sql,
  });
  const read = async () => database.read(1n).all('SELECT id FROM stores', []);
  const open = (id: number) =>
    database.write(SYSTEM_CALL, (sql) =>
      sql.run('INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, 0, 0) ON CONFLICT DO NOTHING', [id]),
    );
  const isServed = (id: number) =>
    waitFor('the database works again', async () => {
      const outcomes = await Promise.allSettled([read(), open(id)]);
      const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      const wrong = failures.find((failure) => !isUnavailable(failure));
      if (wrong) throw wrong;
      return failures.length === 0;
    });
  await isServed(1);

  return {
    url,
    proxy,
    database,
    read,
    open,
    stored: async () => (await query(url, 'SELECT id FROM stores ORDER BY id')).map(({ id }) => Number(id)),
    isServedAgain: () => isServed(Date.now()),
    async close() {
      await proxy.restore();
      await database.close();
      await proxy.stop();
      await drop();
    },
  };
};

export type BehindProxy = Awaited<ReturnType<typeof openBehindProxy>>;
