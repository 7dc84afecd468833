import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SYSTEM_CALL } from '../src/kernel/operation.ts';
import type { Database } from '../src/storage/database.ts';
import type { Sql } from '../src/storage/sql.ts';
import { connectSqlite } from '../src/storage/sqlite/connection.ts';
import { openSqlite } from '../src/storage/sqlite/database.ts';

const WRITERS = 4;
const SALTS = { from: 16, to: 24 };

type Options = {
  directory: string;
  writes: number;
  logs?: number;
  isLying?: boolean;
  isHeldUp?: boolean;
};

const pause = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

export const failAtEverySync = async (options: Options) => {
  const { directory, writes, logs = 1, isLying = false, isHeldUp = false } = options;
  const [path, image] = [join(directory, 'petstore.db'), join(directory, 'image.db')];
  const acknowledged = new Set<number>();
  const seen = { points: 0, lost: 0, corrupt: 0 };
  const salts = new Set<string>();
  let [isTaken, isOver] = [false, false];

  const take = () => {
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, image + suffix);
    salts.add(readFileSync(`${image}-wal`).toString('hex', SALTS.from, SALTS.to));
    isTaken = true;
  };
  const look = () => {
    if (!isTaken) return;
    const copy = connectSqlite(image);
    const kept = new Set(copy.all('SELECT id FROM stores', []).map((row) => Number((row as { id: bigint }).id)));
    const whole = copy.one('PRAGMA integrity_check', []) as { integrity_check: string };
    copy.close();
    seen.points += 1;
    if (whole.integrity_check !== 'ok') seen.corrupt += 1;
    seen.lost += [...acknowledged].filter((id) => !kept.has(id)).length;
  };
  const syncFileNow = () => {
    look();
    if (!isTaken || !isLying) take();
  };
  const syncFile = async () => {
    // Pauses before `syncFileNow`, because a sync that never completes must not change the simulated disk.
    while (isHeldUp && !isOver) await pause();
    await pause();
    syncFileNow();
  };
  const forceProgress = async () => {
    for (let step = 1; !isOver; step += 1) {
      database.forceProgress?.();
      await (step % 50 === 0 ? pause() : undefined);
    }
  };

  // A checkpoint runs after every 8 pages, so that SQLite reuses the WAL many times.
  const disk = { syncFile, syncFileNow, checkpointPages: 8 };
  const database: Database<Sql, Sql> = openSqlite({
    path,
    environment: 'production',
    bind: (sql: Sql) => sql,
    ...disk,
  });
  let id = 1;
  const writer = async () => {
    for (let turn = 0; turn < writes || salts.size < logs; turn += 1) {
      id += 1;
      const mine = id;
      await database.write(SYSTEM_CALL, (sql) =>
        sql.run('INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, 0, 0)', [mine]),
      );
      acknowledged.add(mine);
    }
  };
  try {
    if (isHeldUp) void forceProgress();
    await Promise.all(Array.from({ length: WRITERS }, writer));
  } finally {
    isOver = true;
    await database.close();
  }
  return { ...seen, acknowledged: acknowledged.size };
};
