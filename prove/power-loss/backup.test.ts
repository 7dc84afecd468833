import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildLibrary } from '../../bench/slow-sync.ts';
import { openSqliteFile } from '../../src/storage/sqlite/open.ts';
import { createWorkbench, PROGRAM } from '../../test/program.ts';
import { readRecording } from './recording.ts';

const bench = createWorkbench();
afterAll(() => bench.clear());
const library = await buildLibrary(bench.directory(), join(import.meta.dir, 'disk-recorder.c'));

describe.skipIf(!library)('a backup and a database restored from it survive a power loss', () => {
  let directory: string;
  beforeAll(() => {
    directory = bench.directory();
    openSqliteFile(join(directory, 'petstore.db'), 'production').close();
    for (const folder of ['backups', 'restored']) mkdirSync(join(directory, folder));
  });

  /**
   * Returns the recorded syncs and renames. The recorder cannot see the runtime's own writes, so only the order of
   * syncs and renames can show that a backup is safe.
   */
  const lastSteps = async (folder: string, command: string): Promise<string[]> => {
    const recording = join(directory, `${folder}.recording`);
    const environment = { LD_PRELOAD: library as string, DISK_RECORDING: recording, RECORDED_FOLDER: folder };
    const ran = await bench.start({ directory, command: [...PROGRAM, ...command.split(' ')], environment }).ended();
    expect(ran).toMatchObject({ exitCode: 0, err: '' });
    const entries = readRecording(recording);
    const copied = entries.findLastIndex(({ kind, name }) => kind === 'removed' && name.endsWith('-journal'));
    expect(copied).toBeGreaterThan(0);
    return entries.slice(copied + 1).map(({ kind, name, bytes }) => `${kind} ${name || 'folder'} ${bytes}`.trim());
  };

  const stepsOf = (unfinished: string, path: string) => [
    `sync begun ${unfinished}`,
    `sync ended ${unfinished}`,
    `renamed ${unfinished} ${path}`,
    'sync begun folder',
    'sync ended folder',
  ];

  test('because the file is synced before it gets its name, and the folder after that', async () => {
    const backup = 'backup backups/one.db --database-url sqlite:petstore.db';
    expect(await lastSteps('backups', backup)).toEqual(stepsOf('one.db.copying', 'one.db'));
    const restore = 'restore backups/one.db --database-url sqlite:restored/petstore.db';
    expect(await lastSteps('restored', restore)).toEqual(stepsOf('petstore.db.restoring', 'petstore.db'));
  });
});
