import { Failure } from '../kernel/failure.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Call } from '../kernel/operation.ts';

type PoolState = { pool: string; idle: number; busy: number; waiting: number };

/** The only way to access stored data, with any engine. The repositories are attached in `compose/`. */
export type Database<Reads, Repositories> = {
  /** Reads only committed data. */
  read(storeId: bigint): Reads;
  /**
   * Runs `body` in a transaction and resolves once its effects are on disk. If `body` throws, nothing is stored. An
   * engine may run a body more than once, so a body may await only its repositories and must have no other effects.
   * Transactions on the same `row` of a store run one after another. `isLong` marks a long transaction, so that it does
   * not delay short transactions.
   */
  write<Result>(
    call: Call,
    body: (repositories: Repositories) => MaybePromise<Result>,
    row?: string,
    isLong?: boolean,
  ): Promise<Result>;
  /** Missing if other processes write to the same database. */
  commits?(): number;
  /** Advances the current commit while the event loop is blocked. Missing on engines that do not need it. */
  forceProgress?(): void;
  backlog: { readonly pending: number };
  waitedMs(): number;
  /** Missing on engines without a database server. */
  connections?(): readonly PoolState[];
  /** False while writes are refused: the disk is full or has failed, or no scan has passed since damage was found. */
  canWrite(): boolean;
  /** Missing if the database server checks for damage itself. */
  isDamaged?(): boolean;
  close(): Promise<void>;
};

/** Replaces `write` in a read-only service. */
export const refuseWrites = async (): Promise<never> => {
  throw new Failure('unavailable', 'The service is read-only for maintenance; try again later.', {
    retryAfterSeconds: 60,
    isLogged: true,
  });
};
