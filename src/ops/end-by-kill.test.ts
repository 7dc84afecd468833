import { afterAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkbench } from '../../test/program.ts';

const workbench = createWorkbench();
afterAll(() => workbench.clear());

const program = (path: string) => `
  import { Database } from 'bun:sqlite';
  import { endByKill } from '${join(import.meta.dir, 'end-by-kill.ts')}';
  globalThis.file = new Database('${path}');
  for (const text of ['PRAGMA journal_mode = WAL', 'CREATE TABLE texts (value TEXT)']) globalThis.file.run(text);
  endByKill(() => undefined);
  process.exit(1);`;

test.if(process.platform === 'linux')('a process that cannot be killed exits without closing its files', () => {
  const path = join(workbench.directory(), 'left.db');
  const { exitCode } = Bun.spawnSync([process.execPath, '-e', program(path)], { stderr: 'inherit' });
  expect({ exitCode, isLogLeft: existsSync(`${path}-wal`) }).toEqual({ exitCode: 137, isLogLeft: true });
});
