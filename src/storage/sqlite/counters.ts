import type { Counter, IdKind, SqlValue } from '../sql.ts';
import type { SqliteConnection } from './connection.ts';

/** Maximum counters kept in memory after a commit. Beyond this number, all are dropped and read again when needed. */
const MAX_KEPT = 1000;

type CounterConnection = Pick<SqliteConnection, 'one'> & { run(text: string, values: readonly SqlValue[]): void };

/** Numbers in memory replace the numbers in the table, so the statement `add` is not needed. */
type Kept = Omit<Counter, 'add'>;

const IDS = {
  read: 'SELECT highest AS total FROM ids WHERE store_id = $1 AND kind = $2',
  set: `INSERT INTO ids (store_id, kind, highest) VALUES ($1, $2, $3)
    ON CONFLICT (store_id, kind) DO UPDATE SET highest = excluded.highest`,
};
const idCounter = (kind: IdKind, storeId: bigint): Kept => ({
  name: `${kind} ${storeId}`,
  key: [storeId, kind],
  ...IDS,
});
const isId = ({ read }: Kept): boolean => read === IDS.read;

/**
 * Keeps numbers in memory that nearly every transaction changes: counts, sequences, the highest ids. One process owns
 * the file, so it can count in memory and write each number once, before a group's commit. If a transaction fails, its
 * additions are undone, except for ids, which are never handed out twice.
 */
export const createCounters = (connection: CounterConnection) => {
  const totals = new Map<string, bigint>();
  /** Counters that changed since the last commit. Their tables may have other numbers or, after a rollback, no row. */
  const changed = new Map<string, Kept>();
  const before = new Map<string, bigint | undefined>();

  // Caches only changed counters, because a row that was only read may be gone after a rollback.
  const total = (counter: Kept): bigint | undefined =>
    totals.get(counter.name) ?? (connection.one(counter.read, counter.key) as { total: bigint } | undefined)?.total;

  const add = (counter: Kept, by: number): void => {
    const { name } = counter;
    if (!isId(counter) && !before.has(name)) before.set(name, totals.get(name));
    totals.set(name, (total(counter) ?? 0n) + BigInt(by));
    changed.set(name, counter);
  };

  const forget = (name: string): void => {
    totals.delete(name);
    changed.delete(name);
  };

  return {
    total,
    add,

    nextId(kind: IdKind, storeId: bigint): bigint {
      const counter = idCounter(kind, storeId);
      add(counter, 1);
      return totals.get(counter.name) as bigint;
    },

    nextIds(kind: IdKind, storeId: bigint, count: number): bigint[] {
      const counter = idCounter(kind, storeId);
      add(counter, count);
      const first = (totals.get(counter.name) as bigint) - BigInt(count) + 1n;
      return Array.from({ length: count }, (_, index) => first + BigInt(index));
    },

    /** Writes changed counters. Must run before the commit, and before any statement that reads their tables. */
    write(): void {
      for (const [name, counter] of changed) connection.run(counter.set, [...counter.key, totals.get(name) as bigint]);
    },

    beginGroup(): void {
      for (const [name, counter] of changed) if (!isId(counter)) forget(name);
    },

    beginTransaction: (): void => before.clear(),

    undoTransaction(): void {
      for (const [name, sum] of before) {
        if (sum === undefined) forget(name);
        else totals.set(name, sum);
      }
    },

    committed(): void {
      changed.clear();
      if (totals.size >= MAX_KEPT) totals.clear();
    },
  };
};
