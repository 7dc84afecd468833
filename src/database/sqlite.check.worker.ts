import { constants, setPriority } from 'node:os';
import { findDamage, tablesOf } from './sqlite.check.ts';

/** Runs in its own thread: a check is one statement that blocks its thread until it ends. */
declare const self: Worker;

/** `restShare`: rest after a table in multiples of the time its check took; 0 checks the whole file in one statement. */
export type CheckOrder = { path: string; restShare: number };
export type CheckReply = { damage?: string | undefined } | { error: string };

const CONFIRM_AFTER_MS = 1000;

/** A fault counts once a new connection finds it again: a single failed read is no reason to stop a service. */
const confirmDamage = async (path: string, table?: string): Promise<string | undefined> => {
  if (findDamage(path, table) === undefined) return undefined;
  await Bun.sleep(CONFIRM_AFTER_MS);
  return findDamage(path, table);
};

/** Holds a snapshot for one table at a time, so that the log can be reused in between. */
const checkTables = async ({ path, restShare }: CheckOrder): Promise<string | undefined> => {
  for (const table of tablesOf(path)) {
    const startedAt = performance.now();
    const damage = await confirmDamage(path, table);
    if (damage !== undefined) return damage;
    await Bun.sleep((performance.now() - startedAt) * restShare);
  }
  return undefined;
};

self.onmessage = async ({ data }: MessageEvent<CheckOrder>) => {
  let reply: CheckReply;
  try {
    // On Linux this applies to the calling thread only; elsewhere it would slow the whole service down.
    if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
    reply = { damage: await (data.restShare === 0 ? confirmDamage(data.path) : checkTables(data)) };
  } catch (error) {
    reply = { error: String((error as Error).cause ?? error) };
  }
  self.postMessage(reply);
};
