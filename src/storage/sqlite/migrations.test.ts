import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fingerprintOf } from '../unusable.ts';
import { readManifest } from './backup/manifest.ts';
import { MIGRATIONS } from './migrations.ts';
import { openSqliteFile, planSqliteMigrations } from './open.ts';

const SECOND = 'CREATE TABLE second (id INTEGER) STRICT; INSERT INTO second SELECT id FROM stores';
const THIRD = 'ALTER TABLE second ADD COLUMN name TEXT';
const SLOW = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 500000000) SELECT count(*) FROM n';
const BROKEN = 'CREATE TABLE third (id INTEGER) STRICT; SELECT nonsense';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  writeStore(7);
});
afterEach(() => rmSync(directory, { recursive: true }));

const openWith = (...steps: string[]) =>
  openSqliteFile(join(directory, 'petstore.db'), 'production', { migrations: [...MIGRATIONS, ...steps] });

const writeStore = (id: number) => {
  const { writer, close } = openWith();
  writer.run('INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, 0, 0)', [BigInt(id)]);
  close();
};

const look = (steps: string[], query: string) => {
  const { reader, close } = openWith(...steps);
  const rows = reader.all(query, []);
  close();
  return rows;
};
const tables = (steps: string[]) =>
  look(steps, `SELECT name FROM sqlite_schema WHERE name IN ('second', 'third')`).map(
    (row) => (row as { name: string }).name,
  );

describe('a file of an earlier version', () => {
  test('gets each pending migration once, and keeps its rows', () => {
    for (let opened = 0; opened < 2; opened += 1) {
      expect(look([SECOND, THIRD], 'SELECT id, name FROM second')).toEqual([{ id: 7n, name: null }]);
    }
    expect(look([SECOND, THIRD], 'PRAGMA user_version')).toEqual([{ user_version: BigInt(MIGRATIONS.length + 2) }]);
  });

  test('stays at the last complete migration if one fails, and continues from there', () => {
    expect(() => openWith(SECOND, BROKEN)).toThrow('no such column: nonsense');
    expect(tables([SECOND])).toEqual(['second']);
    expect(look([SECOND, THIRD], 'SELECT id, name FROM second')).toEqual([{ id: 7n, name: null }]);
  });

  test('is refused by that version after a newer migration', () => {
    openWith(SECOND).close();
    const known = MIGRATIONS.length;
    expect(() => openWith()).toThrow(
      `written by a newer version of petstore (schema ${known + 1}; this version supports up to ${known})`,
    );
  });
});

const [FIRST = ''] = MIGRATIONS;

test('the fingerprint of a schema changes with its first step, but not with comments or later steps', () => {
  const known = fingerprintOf(MIGRATIONS);
  expect(fingerprintOf([`-- Another comment.\n${FIRST}`.replaceAll('  ', '    '), SECOND])).toBe(known);
  expect(fingerprintOf([FIRST.replace('name TEXT NOT NULL', 'name TEXT')])).not.toBe(known);
});

describe('before a file is migrated', () => {
  const copies = () => readdirSync(directory).filter((name) => name.includes('.schema-'));
  const NAME = new RegExp(`^petstore\\.db\\.schema-${MIGRATIONS.length}\\.\\d{8}T\\d{6}Z$`);

  test('it is copied to a file next to it, named by schema and time, which the earlier version can open', () => {
    const backups: string[] = [];
    openSqliteFile(join(directory, 'petstore.db'), 'production', {
      migrations: [...MIGRATIONS, SECOND],
      backedUp: (copy) => backups.push(copy),
    }).close();
    expect(copies()).toEqual([expect.stringMatching(NAME)]);
    const [copy = ''] = copies();
    expect(backups).toEqual([expect.stringMatching(new RegExp(`/${copy}$`))]);
    const { reader, close } = openSqliteFile(join(directory, copy), 'production');
    expect(reader.all('SELECT id FROM stores WHERE id = 7', [])).toEqual([{ id: 7n }]);
    close();
  });

  test('no copy is made if no migration is pending, if the file is new, or if copies are disabled', () => {
    openWith().close();
    openSqliteFile(join(directory, 'new.db'), 'production', { migrations: [...MIGRATIONS, SECOND] }).close();
    openSqliteFile(join(directory, 'petstore.db'), 'production', {
      migrations: [...MIGRATIONS, SECOND],
      backsUp: false,
    }).close();
    expect(copies()).toEqual([]);
  });

  test('the copy stays if a later migration fails', () => {
    expect(() => openWith(SECOND, BROKEN)).toThrow('no such column: nonsense');
    expect(copies()).toHaveLength(1);
  });

  test('a migration that fails repeatedly makes one copy', () => {
    const made = new Set<number>();
    for (let tried = 0; tried < 3; tried += 1) {
      expect(() => openWith(BROKEN)).toThrow('no such column: nonsense');
      for (const copy of copies()) made.add(statSync(join(directory, copy)).ino);
    }
    expect([copies().length, made.size]).toEqual([1, 1]);
    expect(tables([])).toEqual([]);
  });

  describe('whose migration was killed', () => {
    /** Without the kill, the migration would take several minutes, so the kill always interrupts it. */
    const killAmid = async (): Promise<string> => {
      const program = join(import.meta.dir, '..', '..', '..', 'test', 'migrating.program.ts');
      const command = [process.execPath, program, join(directory, 'petstore.db'), `${SECOND}; ${SLOW}`];
      const started = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' });
      const { value } = await started.stdout.getReader().read();
      started.kill('SIGKILL');
      await started.exited;
      expect(String(Buffer.from(value as Uint8Array))).toBe('migrating\n');
      expect(copies()).toHaveLength(1);
      return copies()[0] as string;
    };
    const idOf = (copy: string) => statSync(join(directory, copy)).ino;

    test('has one copy, which the next start uses if nothing was written since', async () => {
      const first = await killAmid();
      const made = idOf(first);
      const second = await killAmid();
      expect([second, idOf(second)]).toEqual([first, made]);
      openWith(SECOND).close();
      expect(copies()).toEqual([first]);
      expect(existsSync(join(directory, 'petstore.db.migrating'))).toBeFalse();
    });

    test.each([
      ['a row was written since', () => writeStore(8)],
      ['it is damaged', (copy: string) => writeFileSync(join(directory, copy), 'damaged')],
      [
        'it was made by an earlier migration',
        (copy: string) =>
          renameSync(join(directory, copy), join(directory, copy.replace(/[^.]+$/, '20200102T030405Z'))),
      ],
      ['it was removed', (copy: string) => rmSync(join(directory, copy))],
    ])('gets a new copy that replaces the old one if %s', async (_, change) => {
      change(await killAmid());
      const stores = look([], 'SELECT count(*) AS count FROM stores');
      await killAmid();
      openWith(SECOND).close();
      const [copy = '', ...others] = copies();
      expect(others).toEqual([]);
      expect(readManifest(join(directory, copy)).stores).toBe(Number((stores as { count: bigint }[])[0]?.count));
    });
  });

  test('an interrupted copy is replaced', () => {
    const unfinished = join(directory, 'petstore.db.copying');
    writeFileSync(unfinished, 'half of a copy');
    openWith(SECOND).close();
    expect(existsSync(unfinished)).toBeFalse();
    expect(copies()).toHaveLength(1);
  });

  test('a copy that cannot be written stops the start with advice, and nothing changes', () => {
    // With a file name of 235 characters, the names of the WAL and the lock are valid, but the copy's name is too long.
    const path = join(directory, 'a'.repeat(235));
    openSqliteFile(path, 'production').close();
    const before = readdirSync(directory);
    expect(() => openSqliteFile(path, 'production', { migrations: [...MIGRATIONS, SECOND] })).toThrow(
      'PETSTORE_BACKUP_BEFORE_MIGRATION=false',
    );
    expect(readdirSync(directory)).toEqual(before);
    expect(planSqliteMigrations(path).seen).toBe(MIGRATIONS.length);
  });

  test('a start in the other environment is refused, and changes nothing', () => {
    const path = join(directory, 'petstore.db');
    const migrations = [...MIGRATIONS, SECOND];
    expect(() => openSqliteFile(path, 'staging', { migrations })).toThrow('is a production database');
    expect(copies()).toEqual([]);
    expect(tables([])).toEqual([]);
  });

  test('the plan lists the pending migrations and changes nothing', () => {
    const path = join(directory, 'petstore.db');
    const before = readdirSync(directory);
    const steps = [...MIGRATIONS, `-- A second table.\n${SECOND}`, THIRD];
    expect(planSqliteMigrations(path, steps)).toEqual({
      seen: MIGRATIONS.length,
      steps: ['A second table.', 'no description'],
    });
    expect(readdirSync(directory)).toEqual(before);
    expect(planSqliteMigrations(join(directory, 'new.db'), [FIRST])).toEqual({ seen: 0, steps: ['The first schema.'] });
    expect(readdirSync(directory)).toEqual(before);
  });

  test('there is no plan for a file of a newer version', () => {
    openWith(SECOND).close();
    expect(() => planSqliteMigrations(join(directory, 'petstore.db'))).toThrow(
      'written by a newer version of petstore',
    );
  });

  test('there is no plan for an unreadable file', () => {
    expect(() => planSqliteMigrations(directory)).toThrow(`cannot use the database ${directory}: EISDIR`);
  });

  test('a file left by an interrupted first start has no schema', () => {
    const path = join(directory, 'killed.db');
    const file = new Database(path);
    file.run('PRAGMA journal_mode = WAL');
    file.run(`PRAGMA application_id = ${0x70657473}`);
    expect(planSqliteMigrations(path, [FIRST])).toEqual({ seen: 0, steps: ['The first schema.'] });
    file.close();
  });

  test('there is no plan for a file of another program', () => {
    const path = join(directory, 'notes.txt');
    writeFileSync(path, 'these are notes '.repeat(10));
    expect(() => planSqliteMigrations(path)).toThrow(`${path} is not a petstore database`);
  });
});
