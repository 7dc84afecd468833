import { fstatSync, writeSync } from 'node:fs';
import { SYSTEM_CALL } from '../src/kernel/operation.ts';
import { endByKill } from '../src/ops/end-by-kill.ts';
import type { Sql } from '../src/storage/sql.ts';
import { openSqlite } from '../src/storage/sqlite/database.ts';

const [path = '', way = ''] = process.argv.slice(2);

let syncedBytes = 0;
let isFailing = false;
const syncFile = async (file: number) => {
  const { size } = fstatSync(file);
  if (!isFailing) {
    syncedBytes = size;
    return;
  }
  writeSync(file, new Uint8Array(size - syncedBytes), 0, size - syncedBytes, syncedBytes);
  throw new Error('EIO');
};
const database = openSqlite({
  path,
  environment: 'production',
  bind: (sql: Sql) => sql,
  broke: () => endByKill(),
  syncFile,
});
let acknowledged = 0;
const write = async (id: number) => {
  await database.write(SYSTEM_CALL, (sql) =>
    sql.run('INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, 0, 0)', [id]),
  );
  acknowledged += 1;
};

for (let id = 2; id < 100; id += 1) await write(id);
isFailing = true;
await Promise.allSettled(Array.from({ length: 200 }, (_, index) => write(1000 + index)));
process.stdout.write(`${acknowledged}\n`);

const WAYS: Record<string, () => unknown> = {
  'closes its files and ends by itself': database.close,
  'closes its files and exits': async () => {
    await database.close();
    process.exit(0);
  },
  exits: () => process.exit(1),
  'throws an uncaught error': () => {
    setTimeout(() => {
      throw new Error('nobody catches this');
    });
  },
  'leaves a rejection unhandled': () => void Promise.reject(new Error('nobody handles this')),
};
await WAYS[way]?.();
