import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { waitFor } from '../wait-for.ts';

/** In the name of every database, so that a run that shares a server with others knows its own. */
export const RUN = process.env.TEST_RUN || 'alone';

/** Runs one statement on a connection of its own, and returns the rows. */
export const query = async (url: string, text: string, values: unknown[] = []): Promise<any[]> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 600_000 });
  // A server that dies while a statement runs is told twice: by the statement, and by this event, which would end the tests.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
};

/** How a statement is run: on a connection of its own, unless there is one for many. */
type Run = (text: string) => Promise<unknown>;

/** PostgreSQL gives others five seconds to leave a database, which may be too little on a starved machine. */
const IN_USE = '55006';
const whenNobodyIsThere = (run: Run, text: string): Promise<boolean> =>
  waitFor('nobody uses the database', () =>
    run(text).then(
      () => true,
      (error) => {
        if (error.code !== IN_USE) throw error;
        return false;
      },
    ),
  );

/** Makes an empty database, or a copy of the template, on the server at that URL; returns the URL of the database. */
export const createDatabase = async (
  server: string,
  name = `test_${RUN}_${randomBytes(8).toString('hex')}`,
  template = 'template0',
  run: Run = (text) => query(server, text),
): Promise<string> => {
  // Copied as files, which takes half the work of copying page by page into the log.
  const from = `TEMPLATE ${pg.escapeIdentifier(template)} STRATEGY file_copy`;
  await whenNobodyIsThere(run, `CREATE DATABASE ${pg.escapeIdentifier(name)} ${from}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

/** Gives a database another name. */
export const renameDatabase = async (server: string, url: string, name: string): Promise<void> => {
  const from = pg.escapeIdentifier(new URL(url).pathname.slice(1));
  const text = `ALTER DATABASE ${from} RENAME TO ${pg.escapeIdentifier(name)}`;
  await whenNobodyIsThere((statement) => query(server, statement), text);
};

/** Drops a database by its URL, whoever is still connected to it. */
export const dropDatabase = async (
  server: string,
  url: string,
  run: Run = (text) => query(server, text),
): Promise<void> => {
  const name = new URL(url).pathname.slice(1);
  await whenNobodyIsThere(run, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
};
