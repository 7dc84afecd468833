import type { MaybePromise } from '../kernel/runtime.ts';

export type SqlValue = bigint | number | string | null | Uint8Array;

/**
 * Statements may use only SQL that both engines share, such as `$1`, `ON CONFLICT` and `RETURNING`. Integers are
 * bigint. Only PostgreSQL returns promises.
 */
export type Sql = {
  one<Row>(text: string, values: readonly SqlValue[]): MaybePromise<Row | undefined>;
  all<Row>(text: string, values: readonly SqlValue[]): MaybePromise<Row[]>;
  /** If the statement fails, the error may appear only at the next statement or the commit. */
  run(text: string, values: readonly SqlValue[]): MaybePromise<void>;
  /** The addition may stay in memory until the commit. Call `writeCounters` before reading the counter's table. */
  add(counter: Counter, by: number): MaybePromise<void>;
  total(counter: Counter): MaybePromise<bigint | undefined>;
  writeCounters(): MaybePromise<void>;
  /** Runs `effect` after the commit is on disk and before the request is answered. A rollback discards `effect`. */
  afterCommit(effect: () => void): void;
  readonly isReadOnly: boolean;
  /** Append this to a SELECT to lock its rows until the transaction ends. Empty if the database has a single writer. */
  readonly lockRows: '' | 'FOR UPDATE';
  /** True if the database merges the sorted parts of a `UNION ALL`. Otherwise, the database may sort all rows again. */
  readonly mergesParts: boolean;
  /** Finds stored idempotency keys. Missing on PostgreSQL, where an index on disk finds them. */
  readonly keyIndex?: KeyIndex;
  /** True if the FTS5 table `pet_names` indexes names, false if the index `pets_trigrams` does. */
  readonly hasFts5: boolean;
  /** True if only one transaction can write at a time, so that counts do not change while a transaction reads them. */
  readonly isSoleWriter: boolean;
  /** No two connections that write at the same time have the same number. */
  readonly writer: bigint;
  /** Ids of each kind start at 1 in each store. No id is assigned twice, even after a rollback. */
  nextId(kind: IdKind, storeId: bigint): MaybePromise<bigint>;
  nextIds(kind: IdKind, storeId: bigint, count: number): MaybePromise<readonly bigint[]>;
  /** Makes other instances remove the key from their caches. */
  noteKeyChange(keyId: string): MaybePromise<void>;
  /** Lets readers run during a long transaction. Other writers keep waiting. */
  pause(): MaybePromise<void>;
};

export type KeyIndex = {
  /** A row that is found may have been rolled back or belong to another key, so the caller must compare the key. */
  find(name: string): number[];
  /** Returns the number for a new row. No number is used twice while the process runs, even after a rollback. */
  addNew(name: string): { hash: number; row: number };
  nextRow(): number;
  /** Frees the space of deleted rows. Call it only after their deletion is committed. */
  dropBefore(row: number): void;
};

const refuse = (): never => {
  throw new Error('cannot write outside a transaction');
};
const refuseLater = async (): Promise<never> => refuse();

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
  noteKeyChange: refuseLater,
} satisfies Partial<Sql>;

export type Counter = { name: string; key: readonly SqlValue[]; read: string; set: string; add: string };

export type IdKind = 'pets' | 'orders' | 'stores';
