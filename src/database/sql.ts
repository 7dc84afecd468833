import type { Soon } from '../kernel/soon.ts';

export type SqlValue = bigint | number | string | null | Uint8Array;

/**
 * SQL on one connection, in the part of the language that SQLite and PostgreSQL share: `$1` parameters, `ON CONFLICT`,
 * `RETURNING`. Integers come back as bigint. Every call may be asynchronous: the connection may be to another machine.
 */
export type Sql = {
  one<Row>(text: string, values: readonly SqlValue[]): Soon<Row | undefined>;
  all<Row>(text: string, values: readonly SqlValue[]): Soon<Row[]>;
  /** For a statement whose answer nobody needs. In a transaction its failure may show only at the next statement or at the end. */
  run(text: string, values: readonly SqlValue[]): Promise<void>;
  /** Runs `effect` once the transaction is on disk, before anyone hears of it; never, if it is rolled back. */
  afterCommit(effect: () => void): void;
  /** Ends a SELECT whose rows must not change before the transaction ends. */
  readonly lockRows: '' | 'FOR UPDATE';
  /** Takes the name until the transaction ends; false if a transaction of another instance has it. */
  tryLock(name: string): Promise<boolean>;
  /** Another number for each of the connections that write at the same time. */
  readonly writer: bigint;
  /** The next id of a kind: it rises, and it is never handed out twice, not even after a rollback. */
  nextId(kind: IdKind): Promise<bigint>;
};

export type IdKind = 'pets' | 'orders' | 'stores';
