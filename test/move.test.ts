import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { readRows } from './database.ts';
import { codeBlocks, readDocument } from './documents.ts';
import { fillEveryTable } from './every-table.ts';
import { createMoves, positionOf, readAll, sumsIn } from './moves.ts';
import { lacks } from './needs.ts';
import { createEmptyDatabase, createPostgresDatabase, POSTGRES_SERVER } from './postgres-database.ts';
import { createWorkbench, PROGRAM } from './program.ts';
import { query } from './servers/databases.ts';
import { startPgbouncer } from './servers/pgbouncer.ts';
import { waitFor } from './wait-for.ts';
import { startReceiver } from './webhook-receiver.ts';

const bench = createWorkbench();
const FILE = 'sqlite:data/petstore.db';
const drops: (() => Promise<void>)[] = [];
afterAll(async () => {
  await bench.clear();
  for (const drop of drops) await drop();
});

const emptyServer = async (): Promise<string> => {
  const { url, drop } = await createEmptyDatabase();
  drops.push(drop);
  return url;
};

describe('petstore move refuses', () => {
  const { run } = createMoves(bench);

  test.each([
    [[], '--from or --to is missing'],
    [['--to', 'mysql://db/petstore'], 'DATABASE_URL must be sqlite:'],
    [['--to', 'postgres://petstore:secret@db/petstore'], '--to contains a password, which other users'],
  ])('the flags %p', async (args, message) => {
    expect(await run('move', ...args)).toMatchObject({ exitCode: 2, err: expect.stringContaining(message) });
  });

  test.each([
    ['sqlite:other.db', 'petstore move works only from SQLite to PostgreSQL'],
    ['postgres://petstore@127.0.0.1:1/petstore', 'there is no database at data/petstore.db yet'],
  ])('a move to %s without data to move', async (to, message) => {
    expect(await run('move', '--to', to)).toMatchObject({ exitCode: 1, err: expect.stringContaining(message) });
  });
});

describe.skipIf(!POSTGRES_SERVER)('petstore move', () => {
  const { directory, run, serve, startMove, refusal } = createMoves(bench);
  const receiver = startReceiver();
  let server: string;
  let stored: string[];
  let key: string;
  afterAll(receiver.down);

  beforeAll(async () => {
    server = await emptyServer();
    const service = await serve(FILE);
    key = await fillEveryTable(service.origin, receiver.url('/'));
    stored = await readAll(service.ask);
    expect(await startMove(FILE, server).ended()).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(
        'stop that process first, or restart it with PETSTORE_READ_ONLY=true to keep serving reads',
      ),
    });
    await service.stop();
  });

  test('copies every table to PostgreSQL while a read-only service answers, and back', async () => {
    const reader = await serve(FILE, { PETSTORE_READ_ONLY: 'true' });
    const moved = await startMove(FILE, server).ended();
    expect([moved.exitCode, moved.err]).toEqual([0, '']);
    expect(moved.out).toContain('all tables match');
    expect(Object.entries(sumsIn(moved.out)).filter(([, sum]) => sum.startsWith('0 '))).toEqual([]);
    expect(await readAll(reader.ask)).toEqual(stored);
    expect(await reader.ask('/pets', { method: 'POST', body: { name: 'Rex', categoryId: 1 } })).toMatchObject({
      status: 503,
      body: { code: 'unavailable', message: expect.stringContaining('read-only') },
    });
    await reader.stop();

    const reading = await serve(server, { PETSTORE_READ_ONLY: 'true' });
    expect(await readAll(reading.ask)).toEqual(stored);
    const back = await startMove(server, 'sqlite:data/back.db').ended();
    expect(back).toMatchObject({ exitCode: 0, err: '' });
    expect(sumsIn(back.out)).toEqual(sumsIn(moved.out));
    const schema = 'SELECT type, name, sql FROM sqlite_schema ORDER BY type, name';
    const [first, last] = ['petstore.db', 'back.db'].map((name) => readRows(join(directory, 'data', name), schema));
    expect(await last).toEqual(await first);
    const [names] = await readRows(
      join(directory, 'data', 'back.db'),
      `SELECT (SELECT count(*) FROM pet_names WHERE pet_names MATCH '"pet"') AS indexed,
         (SELECT count(*) FROM pets JOIN stores s ON s.id = store_id AND pets.id <= names_indexed
          WHERE folded_name LIKE '%pet%') AS known`,
    );
    expect(names).toEqual({ indexed: 1000, known: 1000 });
    expect(await query(server, "SELECT tgname FROM pg_trigger WHERE tgenabled <> 'O'")).toEqual([]);
    await reading.stop();
  });

  test.each([
    ['PostgreSQL', () => server],
    ['SQLite', () => 'sqlite:data/back.db'],
  ])('leaves a database on %s in which ids, sequences, keys and stored answers continue', async (_, url) => {
    const service = await serve(url());
    expect(await readAll(service.ask)).toEqual(stored);
    const added = await service.ask('/pets', { method: 'POST', body: { name: 'Next', categoryId: 7 }, key });
    expect(added).toMatchObject({ status: 201, body: { id: 1008 } });
    const place = url().replace('sqlite:', `${directory}/`);
    const [{ count, last }] = await readRows(place, 'SELECT count(*) AS count, max(sequence) AS last FROM events');
    expect(count).toBe(last);
    const again = { method: 'POST', body: { petId: 1 }, idempotencyKey: 'order-1' };
    expect(await service.ask('/store/orders', again)).toMatchObject({ status: 201, body: { id: 1, petId: 1 } });
    await service.stop();
  });

  test('refuses a source of another environment', async () => {
    const target = await emptyServer();
    const staging = await run('move', '--from', FILE, '--to', target, '--environment', 'staging');
    expect([staging.exitCode, staging.err]).toEqual([1, expect.stringContaining('is a production database')]);
  });

  test('refuses a target with data', async () => {
    expect(await startMove(FILE, server).ended()).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/already has \w+; a move needs an empty database/),
    });
  });

  test('refuses a PostgreSQL database that a service can write to', async () => {
    const service = await serve(server);
    const { exitCode, err } = await startMove(server, 'sqlite:data/other.db').ended();
    expect(exitCode).toBe(1);
    expect(err).toMatch(/ is in use by a service that can write; stop the service, or restart it with/);
    expect(existsSync(join(directory, 'data', 'other.db'))).toBeFalse();
    await service.stop();
  });

  test.skipIf(lacks('PgBouncer'))('refuses a pooler, which could keep settings of the move', async () => {
    const pooler = await startPgbouncer(POSTGRES_SERVER as string);
    const target = await emptyServer();
    const { exitCode, err } = await startMove(FILE, pooler.through(target)).ended();
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: expect.stringContaining('is a connection pooler; a move must connect'),
    });
    await pooler.remove();
  });

  test('adds the deliveries that a killed SQLite service had not added yet', async () => {
    const late = 'sqlite:data/late.db';
    copyFileSync(join(directory, 'data', 'petstore.db'), join(directory, 'data', 'late.db'));
    const file = new Database(join(directory, 'data', 'late.db'));
    file.run("UPDATE webhooks SET state = 'enabled', events = 'pet.created', after_sequence = 0");
    file.run('UPDATE stores SET fanned_out = 0, webhooks = (SELECT count(*) FROM webhooks WHERE store_id = stores.id)');
    file.run('DELETE FROM deliveries');
    const { added } = file
      .query(
        "SELECT count(*) AS added FROM events e JOIN webhooks w ON w.store_id = e.store_id WHERE e.type = 'pet.created'",
      )
      .get() as { added: number };
    file.close();
    const target = await emptyServer();
    expect(await startMove(late, target).ended()).toMatchObject({ exitCode: 0 });
    const [row] = await query(
      target,
      `SELECT (SELECT count(*)::int FROM deliveries) AS added,
         (SELECT count(*)::int FROM stores WHERE webhooks > 0 AND (fanned_out < last_sequence OR due_at IS NULL)) AS late`,
    );
    expect(added).toBeGreaterThan(0);
    expect(row).toEqual({ added, late: 0 });
  });

  test('refuses events without a sequence number, which SQLite requires', async () => {
    await query(server, "UPDATE events SET sequence = NULL WHERE type = 'key.banned'");
    const { exitCode, err } = await startMove(server, 'sqlite:data/other.db').ended();
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: expect.stringMatching(/\d rows in events have no sequence yet/),
    });
  });

  describe('killed in the middle', () => {
    let target: string;
    beforeAll(async () => {
      const { url, drop } = await createPostgresDatabase('production');
      drops.push(drop);
      target = url;
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query('BEGIN');
      // The move copies events before pets, so a lock on pets stops the move in the middle.
      await client.query('LOCK TABLE pets IN SHARE MODE');
      const moving = startMove(FILE, target);
      await waitFor('rows have been moved', () => positionOf(target, 'events'));
      await moving.kill();
      await client.end();
    });

    test('leaves a target that no service opens, that doctor reports, and that only the same source can finish', async () => {
      const unfinished = 'a move to this database has not finished';
      expect(await refusal(target)).toEqual({ exitCode: 1, err: expect.stringContaining(unfinished) });
      expect((await run('doctor', '--database-url', target)).out).toContain(unfinished);
      expect(await startMove('sqlite:data/back.db', target).ended()).toMatchObject({
        exitCode: 1,
        err: expect.stringMatching(/contains an unfinished move from .*petstore.db, not from .*back.db/),
      });
    });

    test('refuses to finish if the source has changed in the meantime', async () => {
      const file = new Database(join(directory, 'data', 'petstore.db'));
      const change = (name: string) => file.run('UPDATE events SET type = ? WHERE sequence = 1', [name]);
      const { type } = file.query('SELECT type FROM events WHERE sequence = 1').get() as { type: string };
      change('changed');
      const changed = await startMove(FILE, target).ended();
      change(type);
      file.close();
      expect(changed).toMatchObject({
        exitCode: 1,
        out: expect.stringMatching(/^events .* differs: [\d,]+ rows, [0-9a-f]{16} in the target$/m),
        err: expect.stringContaining('events differ: the source has changed since the move began'),
      });
      expect(await refusal(target)).toMatchObject({ exitCode: 1 });
    });

    test('continues where it stopped, and duplicates nothing', async () => {
      expect(await startMove(FILE, target).ended()).toMatchObject({ exitCode: 0, err: '' });
      const service = await serve(target);
      expect(await readAll(service.ask)).toEqual(stored);
      await service.stop();
    });
  });

  test('killed on the way to SQLite, leaves a file that no service opens, and then continues', async () => {
    const source = await emptyServer();
    await startMove(FILE, source).ended();
    // These rows keep the move running until the test kills it.
    await query(source, "INSERT INTO usage SELECT 'key', hour, 200, 1 FROM generate_series(1, 200000) AS hour");
    const place = `sqlite:${join(directory, 'data', 'killed.db')}`;
    const moving = startMove(source, place);
    await waitFor('rows have been moved', () => positionOf(place, 'usage'));
    await moving.kill();
    expect(await refusal(place)).toEqual({ exitCode: 1, err: expect.stringContaining('has not finished') });
    expect(await startMove(source, place).ended()).toMatchObject({ exitCode: 0, err: '' });
    const service = await serve(place);
    expect(await readAll(service.ask)).toEqual(stored);
    await service.stop();
  });

  test('works as the guide shows', async () => {
    const [steps = ''] = codeBlocks(readDocument('docs/guides/when-one-machine-is-not-enough.md'));
    const lines = steps.trim().split('\n');
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(lines.pop()).toStartWith('./petstore serve ');
    const target = await emptyServer();
    const program = `#!/bin/sh\nexec ${PROGRAM.map((word) => `'${word}'`).join(' ')} "$@"\n`;
    writeFileSync(join(directory, 'petstore'), program, { mode: 0o755 });
    const script = lines.join('\n').replace(/postgres:\S+/, target);
    const command = ['bash', '-ec', `systemctl() { true; }\n${script}`];
    const { exitCode, out } = await bench.start({ directory, command }).ended();
    expect(exitCode).toBe(0);
    expect(out).toContain('all tables match');
    const service = await serve(target);
    expect(await readAll(service.ask)).toEqual(stored);
    await service.stop();
  });
});
