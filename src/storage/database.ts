import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Call } from '../kernel/operation.ts';

type PoolState = { pool: string; idle: number; busy: number; waiting: number };

/** The only way to access stored data, with any engine. Repositories are bound to it in `compose/`. */
export type Database<Reads, Repositories> = {
  /** Reads committed data. */
  read(storeId: bigint): Reads;
  /**
   * Runs `body` in a transaction and resolves once its effects are on disk. If `body` throws, nothing is stored. An
   * engine may run a body more than once, so a body may await only its repositories and must have no other effects.
   * Transactions on the same `row` of a store run one after another. `isLong` keeps a long transaction from delaying
   * others.
   */
  write<Result>(
    call: Call,
    body: (repositories: Repositories) => MaybePromise<Result>,
    row?: string,
    isLong?: boolean,
  ): Promise<Result>;
  /** The number of commits; undefined if other processes write to the same data. */
  commits?(): number;
  /** Advances the current commit while the event loop is blocked. Undefined on engines that do not need it. */
  forceProgress?(): void;
  /** The number of transactions waiting for their commit. */
  backlog: { readonly pending: number };
  /** How long the oldest waiting transaction has waited, in ms. */
  waitedMs(): number;
  /** The connection pools; undefined without a server. */
  connections?(): readonly PoolState[];
  /** False while writes are refused: the disk is full or failed, or damage was found and no scan has passed since. */
  canWrite(): boolean;
  /** Whether damage was found in the data. Undefined if the server checks for damage itself. */
  isDamaged?(): boolean;
  close(): Promise<void>;
};
