import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { causeOf } from '../../unusable.ts';
import { checkSlice, findDamage, type Slice, tablesOf } from './check.ts';

declare const self: Worker;

/**
 * After each slice, the thread rests for `restShare` times the slice's duration. If `restShare` is 0, the whole check
 * runs without slices or pauses.
 */
export type CheckOrder = { path: string; restShare: number };
export type CheckReply = { damage?: string | undefined } | { error: string };

const CONFIRM_AFTER_MS = 1000;

/** A single failed read must not stop the service, so damage counts only if a second check finds it, too. */
const confirm = async <Result extends { damage?: string | undefined }>(check: () => Result): Promise<Result> => {
  const first = check();
  if (first.damage === undefined) return first;
  await sleep(CONFIRM_AFTER_MS);
  return check();
};

const checkTable = async ({ path, restShare }: CheckOrder, table: string): Promise<string | undefined> => {
  let slice: Slice = {};
  do {
    const startedAt = performance.now();
    const after = slice.next;
    slice = await confirm(() => checkSlice(path, table, after));
    if (slice.damage !== undefined) return slice.damage;
    await sleep((performance.now() - startedAt) * restShare);
  } while (slice.next);
  return undefined;
};

const checkInSlices = async (order: CheckOrder): Promise<string | undefined> => {
  const tables = tablesOf(order.path);
  if ('damage' in tables) return tables.damage;
  for (const table of tables) {
    const damage = await checkTable(order, table);
    if (damage !== undefined) return damage;
  }
  return undefined;
};

const check = async (order: CheckOrder): Promise<CheckReply> => {
  // On Linux, the priority applies only to this thread. On other systems, it would make the whole service slower.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
  if (order.restShare === 0) return confirm(() => ({ damage: findDamage(order.path) }));
  return { damage: await checkInSlices(order) };
};

self.onmessage = async ({ data }: MessageEvent<CheckOrder>) =>
  self.postMessage(await check(data).catch((error) => ({ error: String(causeOf(error)) })));
