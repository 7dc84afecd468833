import type { MaybePromise } from '../kernel/maybe-promise.ts';

export type SqlValue = bigint | number | string | null | Uint8Array;

/**
 * SQL on one connection, in the dialect that SQLite and PostgreSQL share: `$1` parameters, `ON CONFLICT`, `RETURNING`.
 * Integers are bigint. With a server, calls are asynchronous.
 */
export type Sql = {
  one<Row>(text: string, values: readonly SqlValue[]): MaybePromise<Row | undefined>;
  all<Row>(text: string, values: readonly SqlValue[]): MaybePromise<Row[]>;
  /** Runs a statement without a result. A failure may be reported only by the next statement or by the commit. */
  run(text: string, values: readonly SqlValue[]): MaybePromise<void>;
  /** Adds to a counter, possibly only in memory until the commit. Call `writeCounters` before reading its table. */
  add(counter: Counter, by: number): MaybePromise<void>;
  /** The current value; undefined if there is none. */
  total(counter: Counter): MaybePromise<bigint | undefined>;
  /** Writes counters that are kept in memory to their tables. */
  writeCounters(): MaybePromise<void>;
  /** Runs `effect` once the transaction is on disk, before the answer. Never runs it after a rollback. */
  afterCommit(effect: () => void): void;
  readonly isReadOnly: boolean;
  /** Suffix for a SELECT whose rows must not change before the end of the transaction. */
  readonly lockRows: '' | 'FOR UPDATE';
  /** Whether the engine always merges the sorted parts of a `UNION ALL` instead of sorting them again. */
  readonly mergesParts: boolean;
  /** Whether transactions run one at a time. If so, no count changes while a transaction reads it. */
  readonly isSoleWriter: boolean;
  /** Waits for the named lock, and holds it until the end of the transaction. */
  lock(name: string): MaybePromise<void>;
  /** Takes the named lock until the end of the transaction. False if another instance's transaction holds it. */
  tryLock(name: string): Promise<boolean>;
  /** A different number for each concurrent writing connection. */
  readonly writer: bigint;
  /** The next id of a kind: ascending, and never handed out twice, even after a rollback. */
  nextId(kind: IdKind): MaybePromise<bigint>;
  nextIds(kind: IdKind, count: number): MaybePromise<readonly bigint[]>;
  /** Lets readers run before a long transaction continues. Writers wait until the transaction is done. */
  pause(): MaybePromise<void>;
};

const refuse = (): never => {
  throw new Error('cannot write outside a transaction');
};
const refuseLater = async (): Promise<never> => refuse();

/** The writing half of `Sql`, for read-only connections. */
export const READ_ONLY = {
  isReadOnly: true,
  run: refuseLater,
  nextId: refuseLater,
  nextIds: refuseLater,
  pause: () => undefined,
  add: refuseLater,
  total: refuseLater,
  writeCounters: () => undefined,
  afterCommit: refuse,
} satisfies Partial<Sql>;

/** A number stored in a row, and written only through the counter. */
export type Counter = {
  /** Unique for each counter. */
  name: string;
  key: readonly SqlValue[];
  /** Selects the number as `total`, by the key. */
  read: string;
  /** Sets the number to the value that follows the key. */
  set: string;
  /** Adds the value that follows the key. */
  add: string;
};

export type IdKind = 'pets' | 'orders' | 'stores';
