import type { MaybePromise } from '../kernel/maybe-promise.ts';

export type SqlValue = bigint | number | string | null | Uint8Array;

/**
 * SQL on one connection, in the dialect that SQLite and PostgreSQL share: `$1` parameters, `ON CONFLICT`, `RETURNING`.
 * Integers are bigint. Calls are asynchronous on PostgreSQL only.
 */
export type Sql = {
  one<Row>(text: string, values: readonly SqlValue[]): MaybePromise<Row | undefined>;
  all<Row>(text: string, values: readonly SqlValue[]): MaybePromise<Row[]>;
  /** Runs a statement without a result. Its failure may be reported only by the next statement or by the commit. */
  run(text: string, values: readonly SqlValue[]): MaybePromise<void>;
  /** Adds to a counter, perhaps only in memory until the commit. Call `writeCounters` before reading its table. */
  add(counter: Counter, by: number): MaybePromise<void>;
  total(counter: Counter): MaybePromise<bigint | undefined>;
  writeCounters(): MaybePromise<void>;
  /** Runs `effect` once the transaction is on disk and before the request is answered. A rollback discards `effect`. */
  afterCommit(effect: () => void): void;
  readonly isReadOnly: boolean;
  /** A suffix for SELECT that locks the rows until the transaction ends. Empty if no other transaction can write. */
  readonly lockRows: '' | 'FOR UPDATE';
  /** Whether the engine merges the sorted parts of a `UNION ALL`. If false, it may sort all rows again. */
  readonly mergesParts: boolean;
  /** True if no other transaction can write, so that counts do not change while a transaction reads them. */
  readonly isSoleWriter: boolean;
  /** Differs between any two connections that write at the same time. */
  readonly writer: bigint;
  /** Returns a store's next id of a kind. Each store starts at 1. No id is handed out twice, even after a rollback. */
  nextId(kind: IdKind, storeId: bigint): MaybePromise<bigint>;
  nextIds(kind: IdKind, storeId: bigint, count: number): MaybePromise<readonly bigint[]>;
  /** Makes other instances, if there are any, drop the key from their caches. */
  noteKeyChange(keyId: string): MaybePromise<void>;
  /** Lets readers run before a long transaction continues. Writers wait until the transaction is done. */
  pause(): MaybePromise<void>;
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

export type Counter = {
  name: string;
  key: readonly SqlValue[];
  read: string;
  set: string;
  add: string;
};

export type IdKind = 'pets' | 'orders' | 'stores';
