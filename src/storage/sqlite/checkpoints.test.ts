import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCheckpoints } from './checkpoints.ts';
import { connectSqlite, type SqliteConnection } from './connection.ts';

let directory: string;
let path: string;
let writer: SqliteConnection;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  path = join(directory, 'checkpoints.db');
  writer = connectSqlite(path);
  writer.script('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE texts (value TEXT)');
});
afterEach(() => {
  writer.close();
  rmSync(directory, { recursive: true });
});

const SPACE = { checkpointFailed: () => undefined, checkpointed: () => undefined };

const watchedCheckpoints = (at: string) =>
  createCheckpoints({
    path: at,
    writer,
    space: SPACE,
    failed: (cause) => {
      throw cause;
    },
  });
const write = (pages: number) => writer.run('INSERT INTO texts (value) VALUES ($1)', ['x'.repeat(4096 * pages)]);
const left = () => {
  const { log, checkpointed } = writer.one('PRAGMA wal_checkpoint(NOOP)', []) as { log: bigint; checkpointed: bigint };
  return Number(log - checkpointed);
};
const untilFinishIsNeeded = async (checkpoints: ReturnType<typeof watchedCheckpoints>) => {
  while (!checkpoints.needsFinish) await new Promise((resolve) => setImmediate(resolve));
};

describe('checkpoints', () => {
  test('run in a thread while the writer continues, and finish while it pauses', async () => {
    const checkpoints = watchedCheckpoints(path);
    write(3000);
    checkpoints.noteCommit();
    write(1500);
    checkpoints.noteCommit();
    writer.run('BEGIN IMMEDIATE');
    await untilFinishIsNeeded(checkpoints);
    write(10);
    writer.run('COMMIT');
    expect(left()).toBeGreaterThan(0);
    expect(left()).toBeLessThan(100);
    await checkpoints.finish();
    expect(left()).toBe(0);
    expect(checkpoints.needsFinish).toBe(false);
    await checkpoints.close();
  });

  test('run in the writer while it pauses if the thread fails', async () => {
    const checkpoints = watchedCheckpoints(join(directory, 'no such folder', 'checkpoints.db'));
    write(4500);
    checkpoints.noteCommit();
    await untilFinishIsNeeded(checkpoints);
    expect(left()).toBeGreaterThan(4000);
    await checkpoints.finish();
    expect(left()).toBe(0);
    await checkpoints.close();
  });

  test('report a failing disk, and are not retried in the writer', async () => {
    const causes: unknown[] = [];
    const checkpoints = createCheckpoints({ path, writer, space: SPACE, failed: (cause) => causes.push(cause) });
    write(4500);
    truncateSync(`${path}-wal`, 32);
    checkpoints.noteCommit();
    await untilFinishIsNeeded(checkpoints);
    expect(causes).toHaveLength(1);
    expect(String(causes[0])).toContain('disk I/O error');
    await checkpoints.finish();
    expect(causes).toHaveLength(2);
    await checkpoints.close();
  });

  test('are not retried at every commit while another program reads an old snapshot', async () => {
    const other = connectSqlite(path);
    other.run('BEGIN', []);
    other.all('SELECT count(*) FROM texts', []);
    const checkpoints = watchedCheckpoints(path);
    write(4500);
    checkpoints.noteCommit();
    await untilFinishIsNeeded(checkpoints);
    await checkpoints.finish();
    expect(left()).toBeGreaterThan(4000);
    write(1);
    checkpoints.noteCommit();
    await checkpoints.close();
    expect(checkpoints.needsFinish).toBe(false);
    other.run('COMMIT');
    other.close();
  });
});
