import type { MaybePromise } from '../kernel/runtime.ts';

export type SqlValue = bigint | number | string | null | Uint8Array;

/**
 * Statements may use only SQL that both engines support, such as `$1`, `ON CONFLICT` and `RETURNING`. Integers are
 * returned as bigints. Only PostgreSQL returns promises.
 */
export type Sql = {
  one<Row>(text: string, values: readonly SqlValue[]): MaybePromise<Row | undefined>;
  all<Row>(text: string, values: readonly SqlValue[]): MaybePromise<Row[]>;
  /** If the statement fails, the error may not appear until the next statement or the commit. */
  run(text: string, values: readonly SqlValue[]): MaybePromise<void>;
  /** The added amount may stay in memory until the commit. Call `writeCounters` before you read the counter's table. */
  add(counter: Counter, by: number): MaybePromise<void>;
  total(counter: Counter): MaybePromise<bigint | undefined>;
  writeCounters(): MaybePromise<void>;
  /** Runs `effect` once, after the commit is on disk and before the response. A rollback discards `effect`. */
  afterCommit(effect: () => void): void;
  readonly isReadOnly: boolean;
  /** Append this to a SELECT to lock its rows until the transaction ends. Empty if the database has only one writer. */
  readonly lockRows: '' | 'FOR UPDATE';
  /** True if the database can merge the sorted parts of a `UNION ALL`. Otherwise, it may sort all the rows again. */
  readonly mergesParts: boolean;
  /** Finds stored idempotency keys. Undefined on PostgreSQL, which looks them up in an index on disk. */
  readonly keyIndex?: KeyIndex;
  /** True if the index for names is the FTS5 table `pet_names`, and false if it is `pets_trigrams`. */
  readonly hasFts5: boolean;
  /** True if only one transaction can write at a time, so that counts do not change while a transaction reads them. */
  readonly isSoleWriter: boolean;
  /** The number of this connection. No two connections that write at the same time have the same number. */
  readonly writer: bigint;
  /** In each store, the ids of each kind start at 1. No id is assigned twice, even after a rollback. */
  nextId(kind: IdKind, storeId: bigint): MaybePromise<bigint>;
  nextIds(kind: IdKind, storeId: bigint, count: number): MaybePromise<readonly bigint[]>;
  /** Makes other instances remove the key from their caches. */
  noteKeyChange(keyId: string): MaybePromise<void>;
  /** Lets readers run during a long transaction. Other writers continue to wait. */
  pause(): MaybePromise<void>;
};

export type KeyIndex = {
  /** Callers must check the names in these rows: a row may be rolled back, or another name may have the same hash. */
  find(name: string): number[];
  /** Returns the name's hash and the number of its new row. A process uses no number twice, even after a rollback. */
  addNew(name: string): { hash: number; row: number };
  nextRow(): number;
  /** Frees the space that deleted rows used. Call it only after their deletion has been committed. */
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
