import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { backupIn } from './backup-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'petstore-backups-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the name of a backup in a folder', () => {
  test('is its time, and for a second one in the same second that of the next', () => {
    const now = Date.parse('2026-11-16T10:02:23.900Z');
    const first = backupIn(folder, now);
    expect(basename(first)).toBe('petstore-20261116T100223Z.db');
    writeFileSync(first, '');
    expect(basename(backupIn(folder, now))).toBe('petstore-20261116T100224Z.db');
  });
});
