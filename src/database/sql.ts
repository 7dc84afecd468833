import type { MaybePromise } from '../kernel/maybe-promise.ts';

export type SqlValue = bigint | number | string | null | Uint8Array;

/**
 * SQL on one connection, in the part of the language that SQLite and PostgreSQL share: `$1` parameters, `ON CONFLICT`,
 * `RETURNING`. Integers come back as bigint. Every call may be asynchronous: the connection may be to another machine.
 */
export type Sql = {
  one<Row>(text: string, values: readonly SqlValue[]): MaybePromise<Row | undefined>;
  all<Row>(text: string, values: readonly SqlValue[]): MaybePromise<Row[]>;
  /** For a statement whose answer nobody needs. In a transaction its failure may show only at the next statement or at the end. */
  run(text: string, values: readonly SqlValue[]): MaybePromise<void>;
  /**
   * Adds to a number. An engine may write what many transactions add to it in one go before they are committed; it is
   * whole for whoever asks the table.
   */
  add(sum: Counter, by: number): MaybePromise<void>;
  /** What the number comes to now; undefined if there is none. */
  total(sum: Counter): MaybePromise<bigint | undefined>;
  /** Runs `effect` once the transaction is on disk, before anyone hears of it; never, if it is rolled back. */
  afterCommit(effect: () => void): void;
  /** Ends a SELECT whose rows must not change before the transaction ends. */
  readonly lockRows: '' | 'FOR UPDATE';
  /** Whether parts of a `UNION ALL` that are in order by themselves are always merged, never sorted. */
  readonly mergesParts: boolean;
  /** Takes the name until the transaction ends; false if a transaction of another instance has it. */
  tryLock(name: string): Promise<boolean>;
  /** Another number for each of the connections that write at the same time. */
  readonly writer: bigint;
  /** The next id of a kind: it rises, and it is never handed out twice, not even after a rollback. */
  nextId(kind: IdKind): MaybePromise<bigint>;
};

/** A number in a row, that is only ever added to. */
export type Counter = {
  /** One for each number. */
  name: string;
  table: string;
  key: readonly SqlValue[];
  /** Adds the value behind the key. */
  add: string;
  /** Reads it as `total`, by the key. */
  read: string;
};

export type IdKind = 'pets' | 'orders' | 'stores';
