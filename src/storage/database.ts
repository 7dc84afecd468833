import { Failure } from '../kernel/failure.ts';
import type { Call } from '../kernel/operation.ts';
import type { MaybePromise } from '../kernel/runtime.ts';

export type Database<Reads, Repositories> = {
  read(storeId: bigint): Reads;
  /** Reads from a standby that has all of the caller's writes, or from the primary. Undefined if there is no standby. */
  readLagging?(call: Call): Reads;
  /**
   * Resolves when the changes are on disk. `body` may run more than once, so it must have no effects outside the
   * database, and it must not await anything except its repositories. Transactions with the same store and the same
   * `row` run one after another. A transaction with `isLong` does not delay short transactions.
   */
  write<Result>(
    call: Call,
    body: (repositories: Repositories) => MaybePromise<Result>,
    row?: string,
    isLong?: boolean,
  ): Promise<Result>;
  /** Resolves when all stored idempotency keys are loaded. Until then, requests with an idempotency key must wait. */
  keysLoaded?: Promise<void>;
  /** The number of commits so far. Undefined if other processes can also write to the database. */
  commits?(): number;
  /** Completes the current commit now. Called by code that blocks the event loop. Not needed on PostgreSQL. */
  forceProgress?(): void;
  backlog: { readonly pending: number };
  waitedMs(): number;
  connections?(): readonly { pool: string; idle: number; busy: number; waiting: number }[];
  /** False if the disk is full or has failed. Also false once damage has been found, until a scan finds none. */
  canWrite(): boolean;
  isDamaged?(): boolean;
  close(): Promise<void>;
};

export const refuseWrites = async (): Promise<never> => {
  throw new Failure('unavailable', 'The service is read-only for maintenance; try again later.', {
    retryAfterSeconds: 60,
    isLogged: true,
  });
};
