import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackupYielded } from '../../unusable.ts';
import { markDamage } from '../integrity/scan.ts';
import { requestYield } from '../lock.ts';
import { openSqliteFile } from '../open.ts';
import { readManifest, writeManifest } from './manifest.ts';
import { backUpOnline } from './online-backup.ts';
import { checkBackup, restoreSqlite } from './restore.ts';

let directory: string;
const place = (name: string) => join(directory, name);
const clock = () => Date.parse('2026-11-16T03:04:05Z');

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  const { writer, close } = openSqliteFile(place('petstore.db'), 'production');
  writer.run('INSERT INTO stores (id, created_at, last_sequence) VALUES (7, 0, 0)', []);
  writer.run("INSERT INTO categories (store_id, id, name) VALUES (7, 1, 'Dogs of the north')", []);
  close();
  await backUpOnline({ path: place('petstore.db'), to: place('backup.db'), clock });
});
afterEach(() => rmSync(directory, { recursive: true }));

const restore = (from = 'backup.db', environment: 'production' | 'staging' = 'production') =>
  restoreSqlite({ from: place(from), path: place('again/petstore.db'), environment });
const restored = () =>
  existsSync(place('again')) ? readdirSync(place('again')).filter((name) => !name.includes('.lock')) : [];

/** The test runner's own `rejects` would wait for all pending work in the process. */
const refusalOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    ({ message }: Error) => message,
  );

describe('a restored backup', () => {
  test('is the same database, and a service starts with it', async () => {
    const facts = await restore();
    expect(facts).toMatchObject({ version: '1.0.0', environment: 'production', stores: 1, madeAt: clock() });
    expect(restored()).toEqual(['petstore.db']);
    const { reader, close } = openSqliteFile(place('again/petstore.db'), 'production');
    expect(reader.all('SELECT name FROM categories', [])).toEqual([{ name: 'Dogs of the north' }]);
    expect(reader.all("SELECT name FROM sqlite_schema WHERE name = 'petstore_backup'", [])).toEqual([]);
    close();
  });

  test('is refused if any single byte has changed, and leaves no file behind', async () => {
    const bytes = readFileSync(place('backup.db'));
    const inText = bytes.indexOf('Dogs of the north');
    const spread = Array.from({ length: 60 }, (_, index) => Math.floor((index * bytes.length) / 60) + index);
    for (const at of [inText, 0, 24, 40, 96, bytes.length - 1, ...spread]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      writeFileSync(place('changed.db'), changed);
      const seen = [
        await refusalOf(restore('changed.db')),
        await refusalOf(checkBackup({ from: place('changed.db'), path: '', environment: 'production' })),
      ];
      const refusal = expect.stringContaining(place('changed.db'));
      expect({ at, seen }).toEqual({ at, seen: [refusal, refusal] });
      expect(restored()).toEqual([]);
    }
  });

  test.each([
    ['its end is missing', (bytes: Buffer) => bytes.subarray(0, -4096)],
    ['bytes follow its end', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(4096)])],
    ['it is empty', () => Buffer.alloc(0)],
    ['it is not a database', () => Buffer.from('these are notes '.repeat(10))],
  ])('is refused if %s', async (_, change) => {
    writeFileSync(place('changed.db'), change(readFileSync(place('backup.db'))));
    await expect(restore('changed.db')).rejects.toThrow(
      /changed\.db is (damaged, or was changed|not a complete petstore backup)/,
    );
    expect(restored()).toEqual([]);
  });

  test('is refused in the other environment', async () => {
    await expect(restore('backup.db', 'staging')).rejects.toThrow('is a backup of a production database');
  });

  test.each([
    ['newer', 'PRAGMA user_version = 99', 'a newer version of petstore (schema 99'],
    ['development', `PRAGMA application_id = ${0x70657473}`, 'a development version before 1.0.0'],
  ])('is refused if a %s version made it', async (_, change, refused) => {
    const file = new Database(place('petstore.db'));
    file.run(`VACUUM INTO '${place('other.db')}'`);
    file.close();
    const copy = new Database(place('other.db'));
    copy.run(change);
    copy.close();
    writeManifest(place('other.db'), clock());
    await expect(restore('other.db')).rejects.toThrow(refused);
  });

  test('overwrites neither a database nor its log', async () => {
    const again = () =>
      restoreSqlite({ from: place('backup.db'), path: place('petstore.db'), environment: 'production' });
    const before = readFileSync(place('petstore.db'));
    await expect(again()).rejects.toThrow('petstore.db already exists');
    expect(readFileSync(place('petstore.db'))).toEqual(before);
    rmSync(place('petstore.db'));
    writeFileSync(place('petstore.db-wal'), 'frames');
    await expect(again()).rejects.toThrow('petstore.db-wal already exists');
    rmSync(place('petstore.db-wal'));
    await again();
  });

  test('is readable only by its owner, without remains of an earlier restore or marks of earlier damage', async () => {
    mkdirSync(place('again'));
    for (const left of ['petstore.db.restoring', 'petstore.db.restoring-journal'])
      writeFileSync(place(`again/${left}`), '');
    markDamage(place('again/petstore.db'), 'page 3 is damaged');
    await restore();
    expect(restored()).toEqual(['petstore.db']);
    expect(statSync(place('again/petstore.db')).mode & 0o777).toBe(0o600);
  });

  test('is refused while a process owns the target, even if its file was removed', async () => {
    const { close } = openSqliteFile(place('petstore.db'), 'production');
    rmSync(place('petstore.db'));
    const again = restoreSqlite({ from: place('backup.db'), path: place('petstore.db'), environment: 'production' });
    await expect(again).rejects.toThrow('in use by another petstore process; stop that process first');
    close();
  });
});

describe('a backup', () => {
  test('does not start without enough space', async () => {
    const order = { path: place('petstore.db'), to: place('second.db'), clock, freeBytes: () => 4096 };
    await expect(backUpOnline(order)).rejects.toThrow(
      'second.db: the backup needs up to 1 MB, but only 1 MB is available',
    );
    expect(existsSync(place('second.db'))).toBeFalse();
  });

  test('overwrites no file, and leaves no file behind', async () => {
    const before = readdirSync(directory);
    const bytes = readFileSync(place('backup.db'));
    const order = { path: place('petstore.db'), to: place('backup.db'), clock };
    await expect(backUpOnline(order)).rejects.toThrow(
      'backup.db already exists; choose another file name, or specify a folder',
    );
    expect([readdirSync(directory), readFileSync(place('backup.db')).equals(bytes)]).toEqual([before, true]);
  });

  test('says whether its source was checked, and is refused without a manifest', async () => {
    expect(readManifest(place('backup.db'))).toMatchObject({ isSourceChecked: true, stores: 1 });
    copyFileSync(place('petstore.db'), place('copy.db'));
    await expect(restore('copy.db')).rejects.toThrow('copy.db is not a complete petstore backup');
    writeManifest(place('copy.db'), clock());
    expect(readManifest(place('copy.db')).isSourceChecked).toBe(false);
  });

  test('gets no manifest if the copy is damaged', () => {
    // Damages a page that SQLite does not read when it counts rows.
    const bytes = readFileSync(place('petstore.db'));
    const index = new Database(place('petstore.db'));
    const { page } = index
      .query("SELECT rootpage AS page FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'orders'")
      .get() as { page: number };
    index.close();
    bytes[(page - 1) * 4096] = 0xff;
    writeFileSync(place('copy.db'), bytes);
    expect(() => writeManifest(place('copy.db'), clock())).toThrow('the database is damaged');
    expect(() => readManifest(place('copy.db'))).toThrow('copy.db is not a complete petstore backup');
  });

  test('yields the file on request, and leaves no file behind', async () => {
    const order = { path: place('petstore.db'), to: place('second.db') };
    const asked = () => {
      expect(requestYield(realpathSync(place('petstore.db')))).toBeTrue();
      return clock();
    };
    const before = readdirSync(directory);
    await expect(backUpOnline({ ...order, clock: asked })).rejects.toBeInstanceOf(BackupYielded);
    expect(readdirSync(directory)).toEqual(before);
  });

  test('is cancelled by its signal, and leaves no file behind', async () => {
    const called = new AbortController();
    const calls = () => {
      called.abort();
      return clock();
    };
    const before = readdirSync(directory);
    const order = { path: place('petstore.db'), to: place('second.db'), clock: calls, signal: called.signal };
    await expect(backUpOnline(order)).rejects.toThrow('cancelled');
    expect(readdirSync(directory)).toEqual(before);
  });

  test('of a database that was restored by hand has its own manifest', async () => {
    const order = { path: place('backup.db'), to: place('second.db'), clock: () => clock() + 1 };
    const { facts } = await backUpOnline(order);
    expect(facts.madeAt).toBe(clock() + 1);
    expect(facts.rows.petstore_backup).toBeUndefined();
    await restore('second.db');
  });

  test('made before a migration can be restored, too', async () => {
    openSqliteFile(place('petstore.db'), 'production').close();
    const migrations = (await import('../migrations.ts')).MIGRATIONS;
    let copy = '';
    openSqliteFile(place('petstore.db'), 'production', {
      migrations: [...migrations, 'CREATE TABLE more (id INTEGER) STRICT'],
      backedUp: (path) => {
        copy = path;
      },
    }).close();
    await restoreSqlite({ from: copy, path: place('again/petstore.db'), environment: 'production' });
    expect(restored()).toEqual(['petstore.db']);
  });
});
