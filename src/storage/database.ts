import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Call } from '../kernel/operation.ts';

type PoolState = { pool: string; idle: number; busy: number; waiting: number };

/** The only access to stored data, for either engine. `compose/` adds the repositories. */
export type Database<Reads, Repositories> = {
  read(storeId: bigint): Reads;
  /**
   * Runs `body` in a transaction and resolves once its effects are on disk. If `body` throws, nothing is stored. `body`
   * may run more than once, so it may await only its repositories and must have no other effects. Transactions on the
   * same `row` of a store run one after another. `isLong` marks a long transaction, which must not delay short ones.
   */
  write<Result>(
    call: Call,
    body: (repositories: Repositories) => MaybePromise<Result>,
    row?: string,
    isLong?: boolean,
  ): Promise<Result>;
  /** The number of commits so far. Missing if other processes write to the same database. */
  commits?(): number;
  /** Advances the current commit while the event loop is blocked. Missing if the engine does not need it. */
  forceProgress?(): void;
  backlog: { readonly pending: number };
  waitedMs(): number;
  /** Missing if the engine has no database server. */
  connections?(): readonly PoolState[];
  /** False while writes are refused: the disk is full or has failed, or no scan has passed since damage was found. */
  canWrite(): boolean;
  /** Missing if the database server itself checks for damage. */
  isDamaged?(): boolean;
  close(): Promise<void>;
};
