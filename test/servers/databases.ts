import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { waitFor } from '../wait-for.ts';

export const RUN = process.env.TEST_RUN || 'alone';

export const query = async (url: string, text: string, values: unknown[] = []): Promise<any[]> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 600_000 });
  // If the server dies, the running query reports the error. Without this listener, the error would also crash the test
  // run.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
};

type Run = (text: string) => Promise<unknown>;

/**
 * The error code that means that other sessions are still using the database. PostgreSQL waits 5 s for these sessions
 * to end, which may be too short on an overloaded machine.
 */
const IN_USE = '55006';
const whenUnused = (run: Run, text: string): Promise<boolean> =>
  waitFor('the database has no connections', () =>
    run(text).then(
      () => true,
      (error) => {
        if (error.code !== IN_USE) throw error;
        return false;
      },
    ),
  );

export const createDatabase = async (
  server: string,
  name = `test_${RUN}_${randomBytes(8).toString('hex')}`,
  template = 'template0',
  run: Run = (text) => query(server, text),
): Promise<string> => {
  // Copying the files takes half as much work as copying each page through PostgreSQL's write-ahead log.
  const from = `TEMPLATE ${pg.escapeIdentifier(template)} STRATEGY file_copy`;
  await whenUnused(run, `CREATE DATABASE ${pg.escapeIdentifier(name)} ${from}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

export const renameDatabase = async (server: string, url: string, name: string): Promise<void> => {
  const from = pg.escapeIdentifier(new URL(url).pathname.slice(1));
  const text = `ALTER DATABASE ${from} RENAME TO ${pg.escapeIdentifier(name)}`;
  await whenUnused((statement) => query(server, statement), text);
};

export const dropDatabase = async (
  server: string,
  url: string,
  run: Run = (text) => query(server, text),
): Promise<void> => {
  const name = new URL(url).pathname.slice(1);
  await whenUnused(run, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
};
