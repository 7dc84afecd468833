import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteFile } from '../open.ts';
import { diagnoseRoom, diagnoseSqlite } from './diagnose.ts';
import { markDamage } from './scan.ts';

const MB = 1_000_000;

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  file = join(directory, 'petstore.db');
  openSqliteFile(file, 'production').close();
  chmodSync(file, 0o600);
});
afterEach(() => rmSync(directory, { recursive: true }));

const diagnose = async (part: string, environment: 'production' | 'staging' = 'production') => {
  const found = (await diagnoseSqlite(file, environment)).filter((finding) => finding.part === part);
  return [found.map(({ state }) => state).join(), JSON.stringify(found)];
};

describe('an SQLite file', () => {
  test('is fine if nothing is wrong', async () => {
    const findings = await diagnoseSqlite(file, 'production');
    const states = new Map(findings.map(({ part, state }) => [part, state]));
    const parts = ['database', 'schema', 'access', 'log', 'folder'];
    expect(parts.map((part) => states.get(part))).toEqual(parts.map(() => 'ok'));
    expect(states.has('scan')).toBe(false);
  });

  test.each([0o640, 0o604])('that others can read (%o) is reported, with the command to protect it', async (mode) => {
    chmodSync(file, mode);
    const [state, text] = await diagnose('access');
    expect(state).toBe('warning');
    expect(text).toContain(`chmod 600 ${file}`);
  });

  test('of another environment is wrong', async () => {
    const [state, text] = await diagnose('database', 'staging');
    expect(state).toBe('wrong');
    expect(text).toContain('PETSTORE_ENVIRONMENT=production');
  });

  test('that is damaged is wrong, and the advice deletes nothing', async () => {
    writeFileSync(file, readFileSync(file).fill(0xff, 3 * 4096));
    const [state, text] = await diagnose('database');
    expect(state).toBe('wrong');
    expect(text).toContain('do not delete any of them');
  });

  test('in which the service has found damage gets a warning', async () => {
    markDamage(file, 'page 3 is damaged');
    const [state, text] = await diagnose('scan');
    expect(state).toBe('warning');
    expect(text).toContain('page 3 is damaged');
  });

  test('whose log was deleted gets a warning', async () => {
    writeFileSync(`${file}.open`, '');
    const [state, text] = await diagnose('log');
    expect(state).toBe('warning');
    expect(text).toContain('the last acknowledged writes are lost');
  });
});

describe('the free space on a disk', () => {
  const stateWith = (free: number) => diagnoseRoom(file, free).state;

  test('must be enough for the next writes, and should be enough for a backup', () => {
    truncateSync(file, 50 * MB);
    expect([1 * MB, 16 * MB, 20 * MB, 49 * MB, 51 * MB].map(stateWith)).toEqual([
      'wrong',
      'wrong',
      'warning',
      'warning',
      'ok',
    ]);
  });
});
