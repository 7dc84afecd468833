import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readManifest } from '../backup/manifest.ts';
import { backUpOnline } from '../backup/online-backup.ts';
import { openSqliteFile } from '../open.ts';
import { createScan, markDamage, readDamageMark } from './scan.ts';

let directory: string;
let file: string;
const place = (name: string) => join(directory, name);
const clock = () => Date.parse('2026-11-16T03:04:05Z');

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  file = place('petstore.db');
  const { writer, close } = openSqliteFile(file, 'production');
  for (let id = 1n; id <= 200n; id += 1n)
    writer.run(
      'INSERT INTO keys (id, store_id, name, plan, scopes, prefix, last4, is_admin, created_at) VALUES ($1, 1, $1, $1, $1, $1, $1, 0, $2)',
      [`key ${id}`, id],
    );
  close();
});
afterEach(() => rmSync(directory, { recursive: true }));

const change = (bytes: Buffer, at: number): void => {
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(file, bytes);
};

/**
 * Changes one digit of a stored row, so that the row contradicts its index. A copy would hide this damage, because
 * SQLite builds a copy's indexes from its rows.
 */
const damageRow = (): void => {
  const bytes = readFileSync(file);
  change(bytes, bytes.indexOf('key 77') + 'key 77'.length - 1);
};

describe('a backup of a damaged database', () => {
  test('fails, reports what is wrong, and leaves nothing under its name', async () => {
    damageRow();
    const copy = new Database(file, { readonly: true });
    expect(copy.query('PRAGMA quick_check').get()).toEqual({ quick_check: 'ok' });
    copy.close();
    const refusal = await backUpOnline({ path: file, to: place('backup.db'), clock }).then(
      () => 'made',
      ({ message }: Error) => message,
    );
    expect(refusal).toMatch(
      /backup\.db was not created, because .*petstore\.db is damaged: .*index.*; keep your older backups/,
    );
    expect(readdirSync(directory).filter((name) => name.startsWith('backup'))).toEqual([]);
  });
});

describe('the manifest of a backup', () => {
  test('records that the source passed the check, unlike a backup of an earlier version', async () => {
    const to = place('backup.db');
    const { facts } = await backUpOnline({ path: file, to, clock });
    expect([facts.isSourceChecked, readManifest(to).isSourceChecked]).toEqual([true, true]);
    const older = new Database(to);
    older.run('ALTER TABLE petstore_backup DROP COLUMN source_checked');
    older.close();
    expect(readManifest(to).isSourceChecked).toBeFalse();
  });
});

const scanOnce = async (nowMs: number) => {
  const { promise, resolve } = Promise.withResolvers<object>();
  let now = 0;
  const scan = createScan({
    path: file,
    everyMs: 86_400_000,
    stopwatch: () => now,
    damaged: ({ message }) => resolve({ damage: message }),
    scanned: resolve,
  });
  now = nowMs;
  await scan.begin();
  return { promise, close: scan.close };
};

describe('the scan of a file', () => {
  test('passes an intact file, five minutes after the start', async () => {
    expect(await (await scanOnce(300_000)).promise).toEqual({ durationMs: 0 });
  });

  test('finds a row that its index contradicts', async () => {
    damageRow();
    expect(await (await scanOnce(300_000)).promise).toEqual({ damage: expect.stringContaining('index') });
  });

  test('passes a file to which an operator has added a table and indexes of every kind', async () => {
    const shell = new Database(file);
    shell.run(`CREATE TABLE "of, the operator" (a TEXT PRIMARY KEY, b TEXT COLLATE NOCASE, "order" INTEGER);
      CREATE INDEX by_b ON "of, the operator" (b); CREATE INDEX by_order ON "of, the operator" ("order" DESC, a) where "order" > 1;
      INSERT INTO "of, the operator" VALUES ('one', 'B', 1), ('two', NULL, 2), (NULL, 'b', NULL);
      CREATE INDEX by_expression ON keys (lower(name)); CREATE INDEX by_case ON keys (name COLLATE NOCASE);`);
    shell.close();
    expect(await (await scanOnce(300_000)).promise).toEqual({ durationMs: 0 });
  });

  test('reports a file that it cannot open as a failed scan, not as damage', async () => {
    rmSync(file);
    expect(await (await scanOnce(300_000)).promise).toEqual({ error: expect.stringContaining('unable to open') });
  });

  test('begins immediately if an earlier run found damage, and removes the damage marker if it passes', async () => {
    markDamage(file, 'page 3 is damaged');
    expect(readDamageMark(file)).toMatchObject({ damage: 'page 3 is damaged' });
    expect(await (await scanOnce(0)).promise).toEqual({ durationMs: 0 });
    expect(readDamageMark(file)).toBeUndefined();
    expect(existsSync(`${file}.damaged`)).toBeFalse();
  });

  test('treats an unreadable damage marker as damage', () => {
    mkdirSync(`${file}.damaged`);
    expect(readDamageMark(file)?.damage).toContain('EISDIR');
  });
});
