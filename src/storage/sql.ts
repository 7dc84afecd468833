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
   * Adds to a number. An engine may keep it in memory until the commit: a statement of the same transaction that reads
   * the table comes behind `writeCounters`.
   */
  add(counter: Counter, by: number): MaybePromise<void>;
  /** What the number comes to now; undefined if there is none. */
  total(counter: Counter): MaybePromise<bigint | undefined>;
  /** Brings what was added to numbers into their tables. */
  writeCounters(): MaybePromise<void>;
  /** Runs `effect` once the transaction is on disk, before anyone hears of it; never, if it is rolled back. */
  afterCommit(effect: () => void): void;
  /** Whether it shows what is committed and can write nothing. */
  readonly isReadOnly: boolean;
  /** Ends a SELECT whose rows must not change before the transaction ends. */
  readonly lockRows: '' | 'FOR UPDATE';
  /** Whether parts of a `UNION ALL` that are in order by themselves are always merged, never sorted. */
  readonly mergesParts: boolean;
  /** Whether transactions run one at a time: then no count changes while a transaction reads it. */
  readonly isSoleWriter: boolean;
  /** Waits for the lock of this name, and holds it until the transaction ends. */
  lock(name: string): MaybePromise<void>;
  /** Takes the name until the transaction ends; false if a transaction of another instance has it. */
  tryLock(name: string): Promise<boolean>;
  /** Another number for each of the connections that write at the same time. */
  readonly writer: bigint;
  /** The next id of a kind: it rises, and it is never handed out twice, not even after a rollback. */
  nextId(kind: IdKind): MaybePromise<bigint>;
  nextIds(kind: IdKind, count: number): MaybePromise<readonly bigint[]>;
  /** For a transaction that has much to do: lets others read before it goes on. Those who write wait for its end. */
  pause(): MaybePromise<void>;
};

/** A number in a row. Nothing else writes to it. */
export type Counter = {
  /** One for each number. */
  name: string;
  key: readonly SqlValue[];
  /** Reads it as `total`, by the key. */
  read: string;
  /** Makes it the value behind the key. */
  set: string;
  /** Adds the value behind the key. */
  add: string;
};

export type IdKind = 'pets' | 'orders' | 'stores';

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** A row that holds the fields of `Domain`, one column each, as an engine returns it. */
export type RowOf<Domain> = {
  [Name in keyof Domain & string as SnakeCase<Name>]: Domain[Name] extends infer Value
    ? Value extends number
      ? bigint
      : Value
    : never;
};
