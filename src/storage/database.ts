import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Call } from '../kernel/operation.ts';

type PoolState = { pool: string; idle: number; busy: number; waiting: number };

/**
 * The one way to stored data, whatever engine keeps it. What can be read and what can be written is built by the
 * composition: the database knows no resource by name.
 */
export type Database<Reads, Repositories> = {
  /** Shows what is committed. */
  read(storeId: bigint): Reads;
  /**
   * Runs `body` in a transaction and resolves once its effects are on disk; if `body` throws, there are none. Bodies
   * may run in one group, one after another, and an engine may run a body again from its start: it awaits nothing but
   * its repositories and has no effect outside them. Those that name the same `row` of their store wait for one another
   * before they wait for anything else. One that is long keeps others waiting less if that is known before it runs.
   */
  write<Result>(
    call: Call,
    body: (repositories: Repositories) => MaybePromise<Result>,
    row?: string,
    isLong?: boolean,
  ): Promise<Result>;
  /** How often something was committed; undefined where others write to the same data. */
  commits?(): number;
  /** Does now what would be done when the event loop comes round; undefined where nothing waits for that. */
  forceProgress?(): void;
  /** How many transactions wait for their commit. */
  waiting(): number;
  /** For how many milliseconds the first of them has waited. */
  waitedMs(): number;
  /** The connections to a server, by what they are for; undefined where there is none. */
  connections?(): readonly PoolState[];
  /** False while callers' writes are refused: the disk is full or has failed, or a damaged file has not passed a scan yet. */
  canWrite(): boolean;
  /** Whether damage was found in the data; undefined where the server looks for it. */
  isDamaged?(): boolean;
  close(): Promise<void>;
};
