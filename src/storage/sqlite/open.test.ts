import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connectSqlite } from './connection.ts';
import { openSqliteReader } from './database.ts';
import { adviseRestore, makeFolder } from './files.ts';
import { diagnoseSqlite } from './integrity/diagnose.ts';
import { isOldSqlite, openSqliteFile, planSqliteMigrations } from './open.ts';
import { createHealth } from './sync.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  path = join(directory, 'deep', 'petstore.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

const change = (script: string) => {
  const connection = connectSqlite(path);
  connection.script(script);
  connection.close();
};
const pragma = (connection: { one(text: string, values: []): unknown }, name: string) =>
  Object.values(connection.one(`PRAGMA ${name}`, []) as object)[0];

describe('a log that was deleted while a process had the file open', () => {
  /** Copies the files as a killed process would leave them. This process has no locks on the copies. */
  const leave = (...suffixes: string[]): string => {
    const { writer, close } = openSqliteFile(path, 'production');
    writer.run('INSERT OR REPLACE INTO stores (id, created_at, last_sequence) VALUES (7, 0, 0)', []);
    const left = join(directory, 'left.db');
    for (const suffix of suffixes) copyFileSync(path + suffix, left + suffix);
    close();
    return left;
  };
  const reportsOf = (file: string): string[] => {
    const reports: string[] = [];
    openSqliteFile(file, 'production', { logMissing: (message) => reports.push(message) }).close();
    return reports;
  };

  test.each([[['-shm']], [[]]])('is reported only by the next start (with %p)', (others) => {
    const left = leave('', '.open', ...others);
    expect(reportsOf(left)).toEqual([
      expect.stringContaining(`${left}-wal is missing, although the last process did not shut down cleanly`),
    ]);
    expect(reportsOf(left)).toEqual([]);
  });

  test('is reported by doctor, and by the start after doctor, which makes a new log', async () => {
    const left = leave('', '.open');
    for (const time of ['first', 'second']) {
      const findings = await diagnoseSqlite(left, 'production');
      expect([time, findings.find(({ part }) => part === 'log')]).toMatchObject([
        time,
        { state: 'warning', found: expect.stringContaining('-wal was missing') },
      ]);
      expect(existsSync(`${left}-wal`)).toBeTrue();
    }
    expect(reportsOf(left)).toHaveLength(1);
    expect(reportsOf(left)).toEqual([]);
  });

  test('stops the next start if the file is damaged', () => {
    const left = leave('', '.open');
    writeFileSync(left, readFileSync(left).fill(0xff, 3 * 4096, 6 * 4096));
    expect(() => reportsOf(left)).toThrow(`, and ${left} is damaged: ${adviseRestore(left)}`);
  });

  test('is not reported after a kill or a stop, for a copy, or for a file of an earlier version', () => {
    expect(reportsOf(leave('', '-wal', '.open'))).toEqual([]);
    expect(reportsOf(leave(''))).toEqual([]);
    expect(reportsOf(path)).toEqual([]);
    const copy = join(directory, 'copy.db');
    change(`VACUUM INTO '${copy}'`);
    writeFileSync(`${copy}.open`, '');
    expect(reportsOf(copy)).toEqual([]);
  });

  test.each([
    ['exits', 'process.exit(0)'],
    ['throws an uncaught error', 'throw new Error()'],
  ])('is not reported after a process that %s: the runtime closes its files', async (_, ending) => {
    const program = `import { openSqliteFile } from '${join(import.meta.dir, 'open.ts')}';
      openSqliteFile('${path}', 'production').writer.run('INSERT INTO stores VALUES (7, 0, 0)', []);
      ${ending};`;
    writeFileSync(join(directory, 'program.ts'), program);
    await Bun.spawn([process.execPath, join(directory, 'program.ts')], { stderr: 'ignore' }).exited;
    expect(existsSync(`${path}-wal`)).toBeFalse();
    expect(reportsOf(path)).toEqual([]);
  });

  test('is not reported after a start that was refused, or one that was killed before it served', () => {
    const left = leave('', '-wal', '.open');
    expect(() => openSqliteFile(left, 'staging')).toThrow('is a production database');
    expect(reportsOf(left)).toEqual([]);
  });

  test('is not reported after a start that was refused for damage and removed an empty log', () => {
    const left = leave('', '.open');
    writeFileSync(`${left}-wal`, '');
    const whole = readFileSync(left);
    writeFileSync(left, Buffer.from(whole).fill(0xff, 100, 4096));
    expect(() => reportsOf(left)).toThrow('malformed');
    expect(existsSync(`${left}-wal`)).toBeFalse();
    writeFileSync(left, whole);
    expect(reportsOf(left)).toEqual([]);
  });
});

describe('opening an SQLite file', () => {
  test('creates the folder and the file, and opens them again', () => {
    openSqliteFile(path, 'production').close();
    const { close } = openSqliteFile(path, 'production');
    // The lock creates no journal file, so a full disk does not prevent a backup to another disk.
    expect(readdirSync(dirname(path)).filter((name) => name.startsWith('petstore.db.lock'))).toEqual([
      'petstore.db.lock',
    ]);
    close();
  });

  test('uses WAL mode without a sync per commit or automatic checkpoints', () => {
    const { writer, close } = openSqliteFile(path, 'production');
    expect(pragma(writer, 'journal_mode')).toBe('wal');
    // 1 means NORMAL: SQLite syncs only during checkpoints. That is enough to keep the file intact after a power loss.
    expect(pragma(writer, 'synchronous')).toBe(1n);
    expect(pragma(writer, 'wal_autocheckpoint')).toBe(0n);
    close();
  });

  test('checkpoints the log of a killed process before anything reads the file', () => {
    const { writer, close } = openSqliteFile(path, 'production');
    writer.run('INSERT INTO stores (id, created_at, last_sequence) VALUES (7, 0, 0)', []);
    const left = join(directory, 'left.db');
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, left + suffix);
    close();
    expect(statSync(`${left}-wal`).size).toBeGreaterThan(0);
    const again = openSqliteFile(left, 'production');
    expect(statSync(`${left}-wal`).size).toBe(0);
    expect(again.reader.all('SELECT id FROM stores', [])).toEqual([{ id: 7n }]);
    again.close();
  });

  test('returns a reader that cannot write', () => {
    const { reader, close } = openSqliteFile(path, 'production');
    expect(() => reader.run('DELETE FROM pets', [])).toThrow();
    close();
  });

  test('refuses a file that another process has open', () => {
    const first = openSqliteFile(path, 'production');
    expect(() => openSqliteFile(path, 'production')).toThrow('in use by another petstore process');
    first.close();
    openSqliteFile(path, 'production').close();
  });

  test('refuses a file that another process has open under another name', () => {
    const link = join(directory, 'link.db');
    mkdirSync(join(directory, 'deep'));
    symlinkSync(path, link);
    const first = openSqliteFile(link, 'production');
    expect(() => openSqliteFile(path, 'production')).toThrow('in use by another petstore process');
    expect(() => openSqliteFile(link, 'production')).toThrow('in use by another petstore process');
    first.close();
    openSqliteFile(path, 'production').close();
  });

  test('refuses a file that another process has open even if its lock file is gone', () => {
    const first = openSqliteFile(path, 'production');
    rmSync(`${path}.lock`);
    expect(() => openSqliteFile(path, 'production')).toThrow('is in use by another program: stop');
    expect(first.reader.all('SELECT id FROM stores', [])).toEqual([]);
    first.close();
    openSqliteFile(path, 'production').close();
  });

  test('refuses a file with a hard link, because its log is next to only one of the names', () => {
    openSqliteFile(path, 'production').close();
    const second = join(directory, 'second.db');
    linkSync(path, second);
    for (const name of [path, second])
      expect(() => openSqliteFile(name, 'production')).toThrow('has a second name (a hard link)');
    rmSync(second);
    openSqliteFile(path, 'production').close();
  });

  test('refuses a log whose database file is missing, and keeps the log', () => {
    const { writer, close } = openSqliteFile(path, 'production');
    writer.run('INSERT INTO stores (id, created_at, last_sequence) VALUES (7, 0, 0)', []);
    const left = join(directory, 'left.db');
    copyFileSync(`${path}-wal`, `${left}-wal`);
    close();
    expect(() => openSqliteFile(left, 'production')).toThrow(
      `left.db-wal exists: restore the original database file; if you no longer have it, ${adviseRestore(left)}`,
    );
    expect([existsSync(left), existsSync(`${left}-wal`)]).toEqual([false, true]);
  });

  test('refuses a log whose database file is empty, even through a dangling link, and keeps the log', () => {
    const { writer, close } = openSqliteFile(path, 'production');
    writer.run('INSERT INTO stores (id, created_at, last_sequence) VALUES (7, 0, 0)', []);
    const [left, link] = [join(directory, 'left.db'), join(directory, 'link.db')];
    copyFileSync(`${path}-wal`, `${left}-wal`);
    close();
    symlinkSync(left, link);
    for (const name of [link, left])
      expect(() => openSqliteFile(name, 'production')).toThrow(
        `left.db-wal is not: restore the original database file; if you no longer have it, ${adviseRestore(left)}`,
      );
    expect(statSync(`${left}-wal`).size).toBeGreaterThan(0);
  });

  test('refuses a backup next to the log of the file it replaced', () => {
    const { writer, close } = openSqliteFile(path, 'production');
    const left = join(directory, 'left.db');
    writer.run('VACUUM INTO $1', [left]);
    writer.run('INSERT INTO stores (id, created_at, last_sequence) VALUES (7, 0, 0)', []);
    copyFileSync(`${path}-wal`, `${left}-wal`);
    close();
    const before = readFileSync(left);
    expect(() => openSqliteFile(left, 'production')).toThrow(
      `left.db-wal is the log of another file: ${adviseRestore(left)}`,
    );
    expect(readFileSync(left)).toEqual(before);
    rmSync(`${left}-wal`);
    const restored = openSqliteFile(left, 'production');
    expect(restored.reader.all('SELECT id FROM stores', [])).toEqual([]);
    restored.close();
  });

  test('does not change a damaged file or its log', () => {
    const { writer, close } = openSqliteFile(path, 'production');
    writer.run('INSERT INTO stores (id, created_at, last_sequence) VALUES (7, 0, 0)', []);
    const left = join(directory, 'left.db');
    writeFileSync(left, readFileSync(path).fill(0xff, 0, 3 * 4096));
    copyFileSync(`${path}-wal`, `${left}-wal`);
    close();
    const before = [left, `${left}-wal`].map((file) => readFileSync(file));
    let isBroken = false;
    const health = createHealth(() => {
      isBroken = true;
    });
    expect(() => openSqliteFile(left, 'production', { health })).toThrow(`; ${adviseRestore(left)}`);
    expect(isBroken).toBe(true);
    Bun.gc(true);
    expect([left, `${left}-wal`].map((file) => readFileSync(file))).toEqual(before);
  });

  test('advises moving all files and restoring a backup, with commands to paste into a shell', () => {
    expect(adviseRestore('data/petstore.db')).toBe(
      'move all files data/petstore.db* to another folder, and do not delete any of them (mkdir data/damaged && mv data/petstore.db* data/damaged/), then restore a backup ' +
        '(petstore restore <backup> --database-url sqlite:data/petstore.db)',
    );
    expect(adviseRestore("/my shop's/a.db")).toContain(`mv '/my shop'\\''s/a.db'* '/my shop'\\''s/damaged'/`);
  });

  test('refuses a file of a newer version', () => {
    openSqliteFile(path, 'production').close();
    change('PRAGMA user_version = 999');
    expect(() => openSqliteFile(path, 'production')).toThrow('written by a newer version of petstore (schema 999');
  });

  test('refuses a file of the other environment', () => {
    openSqliteFile(path, 'production').close();
    expect(() => openSqliteFile(path, 'staging')).toThrow('is a production database');
  });

  test('refuses a file that is not a database', () => {
    mkdirSync(join(directory, 'deep'));
    writeFileSync(path, 'A letter, and a long one at that. '.repeat(100));
    expect(() => openSqliteFile(path, 'production')).toThrow('file is not a database');
  });

  test('refuses a file of a development version, whatever its schema version, and does not change it', () => {
    const refused =
      `${path} was created by a development version before 1.0.0, and this version cannot upgrade it; use that ` +
      'version to run petstore pets export, and then import the pets into a new database';
    openSqliteFile(path, 'production').close();
    for (const schema of [1, 999]) {
      change(`PRAGMA application_id = ${0x70657473}; PRAGMA user_version = ${schema}`);
      const before = readFileSync(path);
      expect(() => openSqliteFile(path, 'production')).toThrow(refused);
      expect(() => openSqliteReader(path, 'production')).toThrow(refused);
      expect(() => planSqliteMigrations(path)).toThrow(refused);
      expect(readFileSync(path)).toEqual(before);
    }
  });

  test('refuses the database of another program', () => {
    mkdirSync(join(directory, 'deep'));
    change('CREATE TABLE recipes (name TEXT)');
    expect(() => openSqliteFile(path, 'production')).toThrow('is not a petstore database');
  });

  test('refuses a path it cannot write to', () => {
    writeFileSync(join(directory, 'deep'), 'a file where a folder should be');
    expect(() => openSqliteFile(path, 'production')).toThrow(`cannot use the database ${path}`);
  });

  test('syncs every parent of a new folder, up to the first that existed', () => {
    const synced: string[] = [];
    const note = (folder: string) => synced.push(folder);
    makeFolder(join(directory, 'a', 'b', 'c'), note);
    makeFolder(join(directory, 'a', 'b', 'c'), note);
    expect(synced).toEqual([join(directory, 'a', 'b'), join(directory, 'a'), directory]);
  });

  test.each([
    ['3.51.2', true],
    ['3.51.3', false],
    ['3.53.4', false],
    ['3.7.17', true],
    ['4.0.0', false],
  ])('SQLite %s is too old: %p', (version, old) => {
    expect(isOldSqlite(version)).toBe(old);
  });
});
