import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectSqlite } from './connection.ts';
import { rewriteWal } from './wal.ts';

const FRAME_BYTES = 24 + 4096;

let directory: string;
let left: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  left = join(directory, 'left.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

const leaveLog = (commits: number): number => {
  const path = join(directory, `killed after ${commits}.db`);
  const writer = connectSqlite(path);
  writer.script('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0');
  writer.script('CREATE TABLE texts (value TEXT)');
  for (let commit = 0; commit < commits; commit += 1)
    writer.run('INSERT INTO texts (value) VALUES ($1)', [`${commit} `.repeat(1500)]);
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, left + suffix);
  writer.close();
  return (statSync(`${left}-wal`).size - 32) / FRAME_BYTES;
};
const found = (): number => {
  const connection = connectSqlite(left);
  connection.one('SELECT 1 FROM sqlite_schema', []);
  const { log } = connection.one('PRAGMA wal_checkpoint(NOOP)', []) as { log: bigint };
  connection.close();
  return Number(log);
};
const rewrite = () => {
  let syncs = 0;
  const frames = rewriteWal(`${left}-wal`, () => {
    syncs += 1;
  });
  return { frames, syncs };
};

describe('rewriting a log', () => {
  test('fails if the disk accepts only part of the log', () => {
    leaveLog(10);
    const script = `const { rewriteWal } = await import('${join(import.meta.dir, 'wal.ts')}');
      try { console.log(rewriteWal('${left}-wal')); } catch (error) { console.log(error.message); }`;
    // `ulimit -f 20` cuts off a write after 20 blocks of 512 bytes.
    const limited = ['sh', '-c', 'ulimit -f 20 && exec "$0" -e "$1"', process.execPath, script];
    expect(String(Bun.spawnSync(limited).stdout)).toMatch(/^the disk accepted only \d+ of \d+ bytes\n$/);
  });

  test('changes no byte, syncs once, and counts the same frames as SQLite', () => {
    const frames = leaveLog(300);
    expect(frames).toBeGreaterThan(600);
    const before = readFileSync(`${left}-wal`);
    expect(rewrite()).toEqual({ frames, syncs: 1 });
    expect(readFileSync(`${left}-wal`).equals(before)).toBe(true);
    expect(found()).toBe(frames);
  });

  test.each([0, 1, 299, 300, 511, 512, 600])('stops at the last commit before damaged frame %p', (damaged) => {
    leaveLog(300);
    const bytes = readFileSync(`${left}-wal`);
    bytes.fill('?', 32 + damaged * FRAME_BYTES + 2000, 32 + damaged * FRAME_BYTES + 2008);
    writeFileSync(`${left}-wal`, bytes);
    const { frames } = rewrite();
    expect(frames).toBeLessThanOrEqual(damaged);
    expect(readFileSync(`${left}-wal`).equals(bytes)).toBe(true);
    expect(frames).toBe(found());
  });

  test('finds no frames if the header is damaged or missing', () => {
    leaveLog(3);
    const bytes = readFileSync(`${left}-wal`);
    bytes.fill('?', 20, 24);
    writeFileSync(`${left}-wal`, bytes);
    expect(rewrite().frames).toBe(0);
    writeFileSync(`${left}-wal`, '');
    expect(rewrite().frames).toBe(0);
  });

  test('ignores frames of an earlier log', () => {
    leaveLog(3);
    const older = readFileSync(`${left}-wal`);
    leaveLog(2);
    const bytes = readFileSync(`${left}-wal`);
    writeFileSync(`${left}-wal`, Buffer.concat([bytes, older.subarray(bytes.length)]));
    expect(rewrite().frames).toBe(found());
  });

  test('fails if the sync fails', () => {
    leaveLog(3);
    const fail = () =>
      rewriteWal(`${left}-wal`, () => {
        throw new Error('EIO');
      });
    expect(fail).toThrow('EIO');
  });
});
