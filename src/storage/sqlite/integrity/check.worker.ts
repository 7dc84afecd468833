import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlValue } from '../../sql.ts';
import { causeOf } from '../../unusable.ts';
import { DamageFound } from '../connection.ts';
import { checkIntegrity, checkSlice, tablesOf } from './check.ts';

declare const self: Worker;

/**
 * After each slice, the thread rests for `restShare` times the duration of the slice. If `restShare` is 0, the check
 * has no slices or pauses.
 */
export type CheckOrder = { path: string; restShare: number };
export type CheckReply = { damage?: string } | { error: string };

const CONFIRM_AFTER_MS = 1000;

/** A single failed read must not stop the service, so damage counts only if a second check finds it, too. */
const confirm = async <Result>(check: () => Result): Promise<Result> => {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof DamageFound)) throw error;
    await sleep(CONFIRM_AFTER_MS);
    return check();
  }
};

const checkTable = async ({ path, restShare }: CheckOrder, table: string): Promise<void> => {
  let next: readonly SqlValue[] | undefined;
  do {
    const startedAt = performance.now();
    const after = next;
    next = await confirm(() => checkSlice(path, table, after));
    await sleep((performance.now() - startedAt) * restShare);
  } while (next);
};

const check = async (order: CheckOrder): Promise<CheckReply> => {
  // On Linux, the priority applies only to this thread. On other systems, it would make the whole service slower.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
  if (order.restShare === 0) await confirm(() => checkIntegrity(order.path));
  else for (const table of tablesOf(order.path)) await checkTable(order, table);
  return {};
};

const explain = (error: unknown): CheckReply =>
  error instanceof DamageFound ? { damage: error.message } : { error: String(causeOf(error)) };

self.onmessage = async ({ data }: MessageEvent<CheckOrder>) => self.postMessage(await check(data).catch(explain));
