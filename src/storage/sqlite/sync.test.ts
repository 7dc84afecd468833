import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../test/wait-for.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Sql } from '../sql.ts';
import { openSqlite, type SqliteDatabase } from './database.ts';
import type { SyncFile, SyncFileNow } from './sync.ts';

let directory: string;
let path: string;
let database: SqliteDatabase<Sql, Sql>;
let isClosed: boolean;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  path = join(directory, 'petstore.db');
});
afterEach(async () => {
  if (!isClosed) await database.close();
  rmSync(directory, { recursive: true });
});

type Disk = {
  syncFile?: SyncFile;
  syncFileNow?: SyncFileNow;
  checkpointPages?: number;
  broke?: (cause: unknown) => void;
};
const open = (disk: Disk = {}) => {
  isClosed = false;
  database = openSqlite({ path, environment: 'production', bind: (sql: Sql) => sql, ...disk });
};
const closeForGood = async () => {
  await database.close();
  isClosed = true;
};
const openStore = (id: number) =>
  database.write(SYSTEM_CALL, (sql) =>
    sql.run('INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, 0, 0)', [id]),
  );
const stores = async () =>
  (await database.read(1n).all<{ id: bigint }>('SELECT id FROM stores ORDER BY id', [])).map(({ id }) => Number(id));
const runTurns = async (turns = 10) => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const openOnHeldDisk = (more: Disk = {}) => {
  const syncs: { file: number; end(): void; fail(error: Error): void }[] = [];
  open({ ...more, syncFile: (file) => new Promise((end, fail) => syncs.push({ file, end, fail })) });
  const next = async () => {
    for (;;) {
      await runTurns(1);
      const sync = syncs.shift();
      if (sync) return sync;
    }
  };
  return { syncs, next };
};
const watch = (promises: readonly Promise<unknown>[]) => {
  const seen = promises.map(() => 'waits');
  for (const [index, promise] of promises.entries())
    promise.then(
      () => {
        seen[index] = 'done';
      },
      (error) => {
        seen[index] = error.code ?? error.message;
      },
    );
  return seen;
};

const ended = (seen: readonly string[]) =>
  waitFor(
    'nobody waits any more',
    () => seen,
    (all) => !all.includes('waits'),
  );

test('the synced log is that of the real file if the path is a link', async () => {
  const real = join(directory, 'elsewhere', 'real.db');
  mkdirSync(join(directory, 'elsewhere'));
  symlinkSync(real, path);
  writeFileSync(`${path}-wal`, '');
  const synced: number[] = [];
  open({ syncFile: async (file) => void synced.push(fstatSync(file).ino) });
  await openStore(2);
  expect(synced).toEqual([statSync(`${real}-wal`).ino]);
});

describe('while the disk syncs a commit', () => {
  test('it is not acknowledged and cannot be read, and reads show the state before it', async () => {
    const { next } = openOnHeldDisk();
    const seen = watch([openStore(2), openStore(3)]);
    const sync = await next();
    const commits = database.commits?.() ?? 0;
    expect([seen, await stores()]).toEqual([['waits', 'waits'], []]);
    await runTurns();
    expect([seen, await stores(), database.commits?.()]).toEqual([['waits', 'waits'], [], commits]);
    expect(database.backlog.pending).toBe(2);
    expect(database.waitedMs()).toBeGreaterThan(0);
    sync.end();
    await ended(seen);
    expect([seen, await stores(), database.commits?.()]).toEqual([['done', 'done'], [2, 3], commits + 1]);
    expect([database.backlog.pending, database.waitedMs()]).toEqual([0, 0]);
  });

  test('new transactions run, and all of them share the next sync', async () => {
    const { next, syncs } = openOnHeldDisk();
    const ran: number[] = [];
    const write = (id: number) =>
      database.write(SYSTEM_CALL, async (sql) => {
        await sql.run('INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, 0, 0)', [id]);
        ran.push(id);
      });
    const first = write(2);
    const sync = await next();
    const others = [write(3)];
    await runTurns();
    others.push(write(4));
    await runTurns();
    expect([ran, syncs.length, await stores()]).toEqual([[2, 3, 4], 0, []]);
    const seen = watch(others);
    sync.end();
    await first;
    expect(await stores()).toEqual([2]);
    const second = await next();
    expect([seen, await stores()]).toEqual([['waits', 'waits'], [2]]);
    second.end();
    await Promise.all(others);
    expect(await stores()).toEqual([2, 3, 4]);
  });

  test('a refusal that depends on it waits, too', async () => {
    const { next } = openOnHeldDisk();
    const seen = watch([openStore(2)]);
    const sync = await next();
    const refusal = openStore(2);
    const refused = watch([refusal]);
    await runTurns();
    expect([seen, refused]).toEqual([['waits'], ['waits']]);
    sync.end();
    await expect(refusal).rejects.toThrow('UNIQUE');
    expect(seen).toEqual(['done']);
  });

  test('closing waits for it', async () => {
    const { next } = openOnHeldDisk();
    const writing = openStore(2);
    const sync = await next();
    const seen = watch([database.close()]);
    await runTurns();
    expect(seen).toEqual(['waits']);
    sync.end();
    await writing;
    await ended(seen);
    expect(seen).toEqual(['done']);
    open();
    expect(await stores()).toEqual([2]);
  });
});

describe('a sync that fails', () => {
  test('acknowledges neither its writes nor later ones, and hides them from reads', async () => {
    const { next, syncs } = openOnHeldDisk();
    const first = openStore(2);
    (await next()).end();
    await first;
    expect(database.canWrite()).toBe(true);
    const seen = watch([openStore(3), openStore(4)]);
    const sync = await next();
    const late = watch([openStore(5)]);
    await runTurns();
    sync.fail(new Error('EIO'));
    await ended(seen);
    await ended(late);
    expect([seen, late]).toEqual([['unavailable', 'unavailable'], ['unavailable']]);
    const after = watch([openStore(6)]);
    await ended(after);
    expect([after, syncs.length, await stores()]).toEqual([['unavailable'], 0, [2]]);
    expect(database.canWrite()).toBe(false);
  });

  test('turns a refusal that depends on its unsynced data into a failure', async () => {
    const { next } = openOnHeldDisk();
    const seen = watch([openStore(2)]);
    const sync = await next();
    const refused = watch([openStore(2)]);
    await runTurns();
    sync.fail(new Error('EIO'));
    await ended(seen);
    await ended(refused);
    expect([seen, refused]).toEqual([['unavailable'], ['unavailable']]);
  });

  test('is reported once, and closing the database leaves the file and its log unchanged', async () => {
    const causes: unknown[] = [];
    const { next } = openOnHeldDisk({ broke: (cause) => causes.push(cause) });
    const first = openStore(2);
    (await next()).end();
    await first;
    const seen = watch([openStore(3)]);
    (await next()).fail(new Error('EIO'));
    await ended(seen);
    await ended(watch([openStore(4)]));
    expect(causes).toEqual([new Error('EIO')]);
    const files = [path, `${path}-wal`];
    const before = files.map((file) => readFileSync(file));
    await closeForGood();
    expect(files.map((file, index) => readFileSync(file).equals(before[index] as Buffer))).toEqual([true, true]);
  });
});

describe('a file that is removed or replaced while it is in use', () => {
  const changes: [string, (file: string) => void][] = [
    ['is removed', (file) => rmSync(file)],
    [
      'is replaced by a copy of itself',
      (file) => {
        copyFileSync(file, `${file}.copy`);
        renameSync(`${file}.copy`, file);
      },
    ],
  ];
  test.each(['', '-wal', '-shm'].flatMap((suffix) => changes.map((change) => [suffix, ...change] as const)))(
    'petstore.db%s: no write is acknowledged after a check finds that it %s',
    async (suffix, _, change) => {
      const causes: unknown[] = [];
      open({ broke: (cause) => causes.push(cause) });
      await openStore(2);
      database.checkFiles();
      expect(database.canWrite()).toBe(true);
      change(path + suffix);
      database.checkFiles();
      const seen = watch([openStore(3)]);
      await ended(seen);
      expect([seen, database.canWrite(), await stores()]).toEqual([['unavailable'], false, [2]]);
      expect(String(causes)).toContain(`${path}${suffix} was removed or replaced while it was in use`);
    },
  );

  test('fails the writes being synced', async () => {
    const { next } = openOnHeldDisk();
    const seen = watch([openStore(2)]);
    const sync = await next();
    rmSync(`${path}-wal`);
    database.checkFiles();
    sync.end();
    await ended(seen);
    expect(seen).toEqual(['unavailable']);
  });

  test('is detected at close at the latest, and the new file in its place does not change', async () => {
    open();
    await openStore(2);
    rmSync(`${path}-wal`);
    writeFileSync(`${path}-wal`, 'a log of somebody else');
    await closeForGood();
    expect(database.canWrite()).toBe(false);
    expect(readFileSync(`${path}-wal`, 'utf8')).toBe('a log of somebody else');
  });
});

describe('a page that is damaged while it is served', () => {
  test('fails requests that need it with 503, and stops all writes', async () => {
    open();
    await database.write(SYSTEM_CALL, (sql) => sql.run('CREATE TABLE texts (id INTEGER PRIMARY KEY, value TEXT)', []));
    const fill = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) ';
    await database.write(SYSTEM_CALL, (sql) =>
      sql.run(`INSERT INTO texts (value) ${fill} SELECT hex(zeroblob(500)) FROM n`, []),
    );
    await database.close();
    const bytes = readFileSync(path);
    bytes.fill(0xff, 100 * 4096, bytes.length - 100 * 4096);
    writeFileSync(path, bytes);

    const causes: unknown[] = [];
    open({ broke: (cause) => causes.push(cause) });
    expect(await stores()).toEqual([]);
    expect(database.canWrite()).toBe(true);
    expect(() => database.read(1n).one('SELECT sum(length(value)) AS sum FROM texts', [])).toThrow(
      expect.objectContaining({ code: 'unavailable' }),
    );
    expect([database.canWrite(), causes.length]).toEqual([false, 1]);
    const seen = watch([openStore(2)]);
    await ended(seen);
    expect([seen, await stores()]).toEqual([['unavailable'], []]);
  });
});

describe('a sync during a blocked event loop', () => {
  test('is repeated synchronously on the same log through another descriptor, and its writes are answered', async () => {
    const synced: number[] = [];
    const { next, syncs } = openOnHeldDisk({ syncFileNow: (file) => void synced.push(file) });
    const seen = watch([openStore(2)]);
    const { file, end } = await next();
    database.forceProgress?.();
    await ended(seen);
    expect([seen, await stores()]).toEqual([['done'], [2]]);
    expect(synced).not.toContain(file);
    expect(synced.map((other) => fstatSync(other).ino)).toEqual([fstatSync(file).ino]);
    end();
    await runTurns();
    expect(syncs).toHaveLength(0);
  });

  test('acknowledges neither its writes nor later ones if the synchronous repeat fails', async () => {
    const { next } = openOnHeldDisk({
      syncFileNow: () => {
        throw new Error('EIO');
      },
    });
    const seen = watch([openStore(2)]);
    const { end } = await next();
    database.forceProgress?.();
    await ended(seen);
    end();
    await runTurns();
    const after = watch([openStore(3)]);
    await ended(after);
    expect([seen, after, await stores()]).toEqual([['unavailable'], ['unavailable'], []]);
    expect(database.canWrite()).toBe(false);
  });

  test('stops later acknowledgements if the original sync fails afterwards', async () => {
    const { next } = openOnHeldDisk({ syncFileNow: () => undefined });
    const first = watch([openStore(2)]);
    const { fail } = await next();
    database.forceProgress?.();
    await ended(first);
    const second = watch([openStore(3)]);
    await runTurns();
    fail(new Error('EIO'));
    await ended(second);
    expect([first, second]).toEqual([['done'], ['unavailable']]);
    expect(database.canWrite()).toBe(false);
  });

  test('never runs twice on one descriptor, because only one of the two would receive an error', async () => {
    const { next, syncs } = openOnHeldDisk({ syncFileNow: () => undefined });
    const first = watch([openStore(2)]);
    const { end } = await next();
    database.forceProgress?.();
    await ended(first);
    const second = watch([openStore(3)]);
    await runTurns();
    expect([second, syncs.length]).toEqual([['waits'], 0]);
    end();
    (await next()).end();
    await ended(second);
    expect(second).toEqual(['done']);
  });

  test('does nothing without a pending sync', async () => {
    let synced = 0;
    open({ syncFileNow: () => (synced += 1) });
    await openStore(2);
    database.forceProgress?.();
    expect(synced).toBe(0);
  });
});

describe('the log', () => {
  test('stays bounded under steady writes and reads, without stopping them', async () => {
    open();
    const text = 'x'.repeat(100_000);
    await database.write(SYSTEM_CALL, (sql) => sql.run('CREATE TABLE texts (id INTEGER PRIMARY KEY, value TEXT)', []));
    let written = 0;
    let reads = 0;
    const write = async (id: number) => {
      await database.write(SYSTEM_CALL, (sql) => sql.run('REPLACE INTO texts (id, value) VALUES ($1, $2)', [id, text]));
      written += text.length;
    };
    const round = async () => {
      const writing = Promise.all([1, 2, 3, 4].map(write));
      await database.read(1n).one('SELECT count(*) FROM texts', []);
      reads += 1;
      await writing;
      return { written, log: statSync(`${path}-wal`).size };
    };
    // The WAL grows while the checkpoint thread waits for a processor, so the WAL's size has no fixed limit. But if
    // SQLite reuses the WAL after checkpoints, the amount of data written will far exceed the size of the WAL.
    await waitFor('three times as much is written as the log holds', round, ({ written, log }) => written > 3 * log);
    expect(reads).toBeGreaterThan(0);
  });
});
