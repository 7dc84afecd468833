import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { writeManifest } from '../storage/sqlite/backup/manifest.ts';
import { openSqliteFile } from '../storage/sqlite/open.ts';
import { backupIn, keepNewest } from './backup-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'petstore-backups-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the name of a backup in a folder', () => {
  test('is the time of the backup, or the next second if the folder has a backup with that name', () => {
    const now = Date.parse('2026-11-16T10:02:23.900Z');
    const first = backupIn(folder, now);
    expect(basename(first)).toBe('petstore-20261116T100223Z.db');
    writeFileSync(first, '');
    expect(basename(backupIn(folder, now))).toBe('petstore-20261116T100224Z.db');
  });
});

describe('rotation', () => {
  const makeFolder = (backups: Record<number, boolean>): string => {
    const made = mkdtempSync(join(folder, 'rotated-'));
    for (const [year, isChecked] of Object.entries(backups)) {
      const path = join(made, `petstore-${year}0101T000000Z.db`);
      openSqliteFile(path, 'production').close();
      writeManifest(path, 0, isChecked);
    }
    return made;
  };
  const yearsIn = (made: string) =>
    readdirSync(made)
      .sort()
      .filter((name) => name.endsWith('.db'))
      .map((name) => Number(name.slice(9, 13)))
      .sort();

  test('keeps the newest backup whose source was checked, however many unchecked ones are newer', async () => {
    const made = makeFolder({ 2021: true, 2022: true, 2023: false, 2024: false });
    await keepNewest(made, 1, 0, join(made, 'petstore-20240101T000000Z.db'));
    expect(yearsIn(made)).toEqual([2022, 2024]);
  });

  test('keeps the newest backup even if others have later names', async () => {
    const made = makeFolder({ 2021: true, 2022: true, 2023: true });
    await keepNewest(made, 1, 0, join(made, 'petstore-20220101T000000Z.db'));
    expect(yearsIn(made)).toEqual([2022, 2023]);
  });

  test('keeps the requested number of backups, and all other files', async () => {
    const made = makeFolder({ 2021: true, 2022: true, 2023: true, 2024: true });
    const others = ['notes.txt', 'petstore-2020.db', 'petstore-20200101T000000Z.db.old'];
    for (const name of others) writeFileSync(join(made, name), '');
    const removed = await keepNewest(made, 2, 0, join(made, 'petstore-20240101T000000Z.db'));
    expect(removed.map((path) => basename(path))).toEqual([
      'petstore-20210101T000000Z.db',
      'petstore-20220101T000000Z.db',
    ]);
    expect(readdirSync(made)).toEqual(expect.arrayContaining(others));
    expect(yearsIn(made).slice(-2)).toEqual([2023, 2024]);
  });

  test('removes the files that a killed backup left an hour ago, but not those of a running backup', async () => {
    const made = makeFolder({ 2024: true });
    const [left, running] = ['petstore-20230101T000000Z.db.copying', 'petstore-20230102T000000Z.db.copying'];
    const now = Date.parse('2026-11-16T12:00:00Z');
    for (const [name, age] of [
      [left, 3601],
      [running, 3599],
    ] as const) {
      writeFileSync(join(made, name), '');
      utimesSync(join(made, name), now / 1000 - age, now / 1000 - age);
    }
    const removed = await keepNewest(made, 1, now, join(made, 'petstore-20240101T000000Z.db'));
    expect(removed.map((path) => basename(path))).toEqual([left]);
  });
});
