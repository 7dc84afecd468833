import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
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
import { join } from 'node:path';
import { backUpOnline, noteBackup } from './backup/online-backup.ts';
import { restoreSqlite } from './backup/restore.ts';
import { makeFolder, syncPath } from './files.ts';
import { markDamage } from './integrity/scan.ts';
import { openSqliteFile } from './open.ts';
import { diagnoseOwner, explainAccess, inheritOwner } from './owner.ts';

const USER = 65_534;

let directory: string;
const place = (name: string) => join(directory, name);
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const ownersIn = (folder: string) =>
  new Set(
    readdirSync(folder).map((name) => `${lstatSync(join(folder, name)).uid} ${lstatSync(join(folder, name)).gid}`),
  );

describe.skipIf(process.geteuid?.() !== 0)('a file in the folder of another user', () => {
  beforeEach(() => chownSync(directory, USER, USER));

  test('belongs to the owner of its folder when root creates it', async () => {
    const { close } = openSqliteFile(place('petstore.db'), 'production');
    expect(readdirSync(directory)).toEqual(
      expect.arrayContaining([
        'petstore.db',
        'petstore.db-wal',
        'petstore.db-shm',
        'petstore.db.lock',
        'petstore.db.open',
      ]),
    );
    await backUpOnline({ path: place('petstore.db'), to: place('made/backup.db'), clock: Date.now });
    await restoreSqlite({ from: place('made/backup.db'), path: place('again.db'), environment: 'production' });
    makeFolder(place('deep/deeper'));
    noteBackup(place('petstore.db'), Date.now());
    markDamage(place('petstore.db'), 'page 3 is damaged');
    for (const folder of ['', 'made', 'deep']) expect(ownersIn(place(folder))).toEqual(new Set([`${USER} ${USER}`]));
    close();
  });

  test('keeps its owner if its name is a link to another file', () => {
    mkdirSync(place('root'));
    writeFileSync(place('root/secret'), '');
    symlinkSync(place('root/secret'), place('link'));
    linkSync(place('root/secret'), place('second'));
    for (const name of ['link', 'second']) inheritOwner(place(name));
    expect(statSync(place('root/secret')).uid).toBe(0);
  });

  test("replaces a link planted under its name, and does not change the link's target", () => {
    writeFileSync(place('secret'), 'secret');
    const planted = ['petstore.db.open', 'petstore.db.backed-up', 'petstore.db.damaged'].map(place);
    for (const path of planted) symlinkSync('secret', path);
    const { close } = openSqliteFile(place('petstore.db'), 'production');
    noteBackup(place('petstore.db'), Date.now());
    markDamage(place('petstore.db'), 'page 3 is damaged');
    for (const path of planted) expect(lstatSync(path).isSymbolicLink()).toBeFalse();
    close();
    expect(readFileSync(place('secret'), 'utf8')).toBe('secret');
  });

  test('makes doctor warn root if the owner of the folder cannot open it', () => {
    writeFileSync(place('petstore.db'), '', { mode: 0o600 });
    expect(diagnoseOwner(place('petstore.db'))).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(
        /^the folder belongs to .*65534.*, but that user cannot open .*petstore\.db, which belongs to root \(0\)$/,
      ),
      advice: expect.stringContaining(`chown ${USER}:${USER} ${place('petstore.db')}`),
    });
    chmodSync(place('petstore.db'), 0o666);
    expect(diagnoseOwner(place('petstore.db'))).toMatchObject({ state: 'ok' });
  });
});

test('an error does not mention ownership if every file can be opened or none exists yet', () => {
  writeFileSync(place('petstore.db'), '');
  for (const name of ['petstore.db', 'not/yet.db']) {
    expect(explainAccess(place(name))).toBe('');
    expect(diagnoseOwner(place(name)).state).toBe('ok');
  }
});

test('a folder is synced, except on Windows, which cannot open folders', () => {
  syncPath(directory);
  expect(() => syncPath(directory, 'r+')).toThrow('EISDIR');
  syncPath(directory, 'r+', 'win32');
});
