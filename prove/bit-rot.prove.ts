import { Database } from 'bun:sqlite';
import { afterAll, expect } from 'bun:test';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { createWorkbench, PROGRAM } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { fillShop, readShop } from './filled-shop.ts';
import { LONG, proof } from './proof.ts';
import { createSeeded, seedOfRun } from './seeded.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const CHANGES = LONG ? 300 : 12;
const SERVED = 2;
const CONCURRENCY = 4;
const FILE = join('data', 'petstore.db');
const environment = { PETSTORE_ADMIN_KEY: ADMIN_KEY, PETSTORE_SCAN_SECONDS: '1' };

const run = (directory: string, ...words: string[]) =>
  bench.start({ directory, environment, command: [...PROGRAM, ...words] }).ended();
const serve = (directory: string) => bench.start({ directory, environment, command: [...PROGRAM, 'serve'] });

const makeShop = async () => {
  const directory = bench.directory();
  const program = serve(directory);
  const origin = await program.origin();
  await fillShop(origin);
  const shown = await readShop(origin);
  program.signal('SIGTERM');
  expect((await program.ended()).exitCode).toBe(0);
  return { file: join(directory, FILE), shown };
};

type Shop = Awaited<ReturnType<typeof makeShop>>;
type Change = { at: number; bits: number };

/** Damages the cell count of the second page. SQLite's `integrity_check` always detects this damage. */
const FINDABLE: Change = { at: 4096 + 3, bits: 0x40 };

const copyShop = ({ file }: Shop): string => {
  const directory = bench.directory();
  mkdirSync(join(directory, 'data'));
  copyFileSync(file, join(directory, FILE));
  return directory;
};

const damage = (directory: string, { at, bits }: Change): void => {
  const path = join(directory, FILE);
  const byte = (readFileSync(path)[at] as number) ^ bits;
  const file = openSync(path, 'r+');
  writeSync(file, Uint8Array.of(byte), 0, 1, at);
  closeSync(file);
};

const isFindable = (path: string): boolean => {
  try {
    const file = new Database(path, { readonly: true });
    const found = file.query('PRAGMA integrity_check(1)').get() as { integrity_check: string };
    file.close();
    return found.integrity_check !== 'ok';
  } catch {
    return true;
  }
};

const serveDamaged = async (shop: Shop, change: Change, isRunning: boolean) => {
  const directory = copyShop(shop);
  if (!isRunning) damage(directory, change);
  const program = serve(directory);
  const started = program.origin().catch(() => undefined);
  const origin = await Promise.race([started, program.child.exited.then(() => undefined)]);
  if (origin === undefined) return { read: 'refused to start', findable: true, isReady: false, metric: '1' };
  if (isRunning) damage(directory, change);
  const shown = await readShop(origin);
  const before = program.written.out.length;
  // Waits for two scans, because the first one may have started before the file was damaged.
  await waitFor(
    'the file is scanned',
    () =>
      /database_scanned.*database_scanned|storage_failed/s.test(program.written.out.slice(isRunning ? before : 0)) ||
      program.written.out.includes('storage_failed'),
  );
  const isReady = (await fetch(`${origin}/readyz`)).status === 200;
  const headers = { Authorization: `Bearer ${ADMIN_KEY}` };
  const metrics = await (await fetch(`${origin}/metrics`, { headers })).text();
  // Waits until now to check whether SQLite finds the damage, because the service may have repaired the page by
  // rewriting it.
  const findable = isFindable(join(directory, FILE));
  await program.kill();
  const read = shown === shop.shown ? 'right' : /^5\d\d$/m.test(shown) ? 'failed' : 'wrong';
  return { read, findable, isReady, metric: /^petstore_database_damaged (\d)/m.exec(metrics)?.[1] };
};

const tryChange = async (shop: Shop, change: Change, isServed: (findable: boolean) => boolean, isRunning: boolean) => {
  const directory = copyShop(shop);
  damage(directory, change);
  const findable = isFindable(join(directory, FILE));
  const { exitCode, err } = await run(directory, 'backup', 'backup.db');
  const isSealed = existsSync(join(directory, 'backup.db'));
  expect({ ...change, findable, isSealed, exitCode, err }).toEqual({
    ...change,
    findable,
    isSealed: !findable,
    exitCode: findable ? 1 : 0,
    err: findable ? expect.stringMatching(/damaged|malformed|not a database|no database/) : '',
  });
  const served = isServed(findable) ? await serveDamaged(shop, change, isRunning) : undefined;
  if (served?.findable) expect({ ...change, ...served }).toMatchObject({ ...change, isReady: false, metric: '1' });
  if (served && !served.findable && served.read === 'right')
    expect({ ...change, ...served }).toMatchObject({ ...change, isReady: true, metric: '0' });
  return { findable, served };
};

const inParallel = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
) => {
  const results: Result[] = [];
  const queue = [...items.entries()];
  const take = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) results.push(await work(next[1], next[0]));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, take));
  return results;
};

const shop = await makeShop();

proof(
  'a byte of the database file changes: damage that SQLite can find is never hidden in a backup, and makes the service not ready within one scan',
  async ({ figure }) => {
    const seed = seedOfRun();
    const random = createSeeded(seed);
    const size = readFileSync(shop.file).length;
    const changes = Array.from({ length: CHANGES }, () => ({ at: random.below(size), bits: 1 + random.below(255) }));
    // SQLite may miss all of the random changes, so a short run includes one change that SQLite always detects.
    if (!LONG) changes[0] = FINDABLE;
    const left = { true: SERVED, false: 1 };
    const isServed = (findable: boolean): boolean => LONG || left[`${findable}`]-- > 0;
    const tried = await inParallel(changes, (change, index) => tryChange(shop, change, isServed, index % 2 === 0));
    const served = tried.flatMap((one) => (one.served ? [one.served] : []));
    const count = (read: string) => served.filter((one) => one.read === read).length;
    const findable = tried.filter((one) => one.findable).length;
    expect(tried).toHaveLength(CHANGES);
    expect(findable).toBeGreaterThan(0);
    expect(served.length).toBeGreaterThan(0);
    figure(
      `seed ${seed}: integrity_check found ${findable} of ${CHANGES} changed bytes, and backups refused all of these; ` +
        `of ${served.length} files served, ${count('wrong')} returned wrong data, ${count('failed')} failed a read, ` +
        `${count('refused to start')} prevented the start, ${served.filter((one) => !one.isReady).length} made the service not ready, ` +
        `${served.filter((one) => one.isReady && one.read !== 'right').length} went unnoticed`,
    );
  },
);

proof('rotation keeps the last backup that was made from a checked database', async ({ figure }) => {
  const directory = copyShop(shop);
  const folder = join(directory, 'backups');
  const backUp = () => run(directory, 'backup', 'backups/', '--keep', '1');
  const backups = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.db'))
      .sort();
  expect((await backUp()).exitCode).toBe(0);
  const [good = ''] = backups();
  // Imitates two backups that an earlier version made while its clock was decades ahead.
  for (const year of [2090, 2091]) {
    const path = join(folder, `petstore-${year}0101T000000Z.db`);
    copyFileSync(join(folder, good), path);
    const older = new Database(path);
    older.run('ALTER TABLE petstore_backup DROP COLUMN source_checked');
    older.close();
  }
  expect((await backUp()).exitCode).toBe(0);
  const [next = '', future] = backups();
  expect([next > good, future, backups().length]).toEqual([true, 'petstore-20910101T000000Z.db', 2]);
  damage(directory, FINDABLE);
  const failed = await backUp();
  expect(failed.exitCode).toBe(1);
  expect(backups()).toEqual([next, future as string]);
  figure('kept alongside an unchecked backup with a later name, and after a backup of a damaged database failed');
});
