import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lacks, serverOfRun } from '../needs.ts';
import { waitFor } from '../wait-for.ts';
import { createDatabase, dropDatabase, query } from './databases.ts';
import { type Postgres, startPostgres } from './postgres.ts';

describe.skipIf(lacks('PostgreSQL'))('a private PostgreSQL server', () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
    await server.query('CREATE TABLE seen (n int)');
  });
  afterAll(() => server.remove());

  const seen = async (from: Postgres = server) => (await from.query('SELECT n FROM seen ORDER BY n')).map(({ n }) => n);

  test('does not run as root, and commits as durably as in production', async () => {
    const [settings] = await server.query(`SELECT current_setting('fsync') AS fsync,
      current_setting('synchronous_commit') AS commit, current_setting('server_encoding') AS encoding,
      current_setting('max_connections') AS connections`);
    expect(statSync(join(server.directory, 'data')).uid).not.toBe(0);
    expect(settings).toEqual({ fsync: 'on', commit: 'on', encoding: 'UTF8', connections: '300' });
  });

  test('copies a database from a template', async () => {
    const template = await server.createDatabase('template');
    await query(template, 'CREATE TABLE kept AS SELECT 7 AS n');
    const copies = await Promise.all([
      server.createDatabase(undefined, 'template'),
      server.createDatabase(undefined, 'template'),
    ]);
    for (const copy of copies) {
      expect(await query(copy, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
      await server.dropDatabase(copy);
      await expect(query(copy, 'SELECT 1')).rejects.toThrow('does not exist');
    }
  });

  test('keeps committed rows when it is killed and restarted', async () => {
    await server.query('INSERT INTO seen VALUES (1)');
    await server.kill();
    await expect(server.query('SELECT 1')).rejects.toThrow();
    await server.restart();
    expect(await seen()).toEqual([1]);
    await server.query('DELETE FROM seen');
  });

  test('commits only together with its standby, which has every row when promoted', async () => {
    const standby = await server.startStandby();
    try {
      await server.query('INSERT INTO seen VALUES (2)');
      await expect(standby.query('INSERT INTO seen VALUES (0)')).rejects.toThrow('read-only');

      await standby.stop();
      const waiting = server.query('INSERT INTO seen VALUES (3)');
      const waits = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
      await waitFor('the commit waits', async () => (await server.query(waits)).at(0));
      await standby.restart();
      await waiting;

      await server.kill();
      await standby.promote();
      await standby.query('INSERT INTO seen VALUES (4)');
      expect(await seen(standby)).toEqual([2, 3, 4]);
    } finally {
      await standby.remove();
    }
    expect(existsSync(standby.directory)).toBe(false);
  });
});

const url = serverOfRun('TEST_DATABASE_URL');

describe.skipIf(!url)('the PostgreSQL of the test run', () => {
  test('creates a database for a test, and drops it afterwards', async () => {
    const database = await createDatabase(url as string);
    expect(await query(database, 'SELECT current_database() AS name')).toEqual([
      { name: new URL(database).pathname.slice(1) },
    ]);
    await dropDatabase(url as string, database);
    await expect(query(database, 'SELECT 1')).rejects.toThrow('does not exist');
  });
});
