import type { Counter, IdKind, SqlValue } from '../sql.ts';
import type { SqliteConnection } from './connection.ts';

const MAX_KEPT = 1000;

type CounterConnection = Pick<SqliteConnection, 'one'> & { run(text: string, values: readonly SqlValue[]): void };

type Kept = Omit<Counter, 'add'> & { isId?: true };

const idCounter = (kind: IdKind, storeId: bigint): Kept => ({
  name: `${kind} ${storeId}`,
  key: [storeId, kind],
  isId: true,
  read: 'SELECT highest AS total FROM ids WHERE store_id = $1 AND kind = $2',
  set: `INSERT INTO ids (store_id, kind, highest) VALUES ($1, $2, $3)
    ON CONFLICT (store_id, kind) DO UPDATE SET highest = excluded.highest`,
});

/**
 * Only this process writes to the file, so counts stay in memory, and each counter is written once per group commit.
 * If a transaction fails, its additions are undone, but its ids are not reused, because no id may be assigned twice.
 */
export const createCounters = (connection: CounterConnection) => {
  const totals = new Map<string, bigint>();
  const changed = new Map<string, Kept>();
  const before = new Map<string, bigint | undefined>();

  // A total that was only read is not kept in memory, because a rollback may remove the row that contains the total.
  const total = (counter: Kept): bigint | undefined =>
    totals.get(counter.name) ?? (connection.one(counter.read, counter.key) as { total: bigint } | undefined)?.total;

  const add = (counter: Kept, by: number): void => {
    const { name } = counter;
    if (!counter.isId && !before.has(name)) before.set(name, totals.get(name));
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

    writeCounters(): void {
      for (const [name, counter] of changed) connection.run(counter.set, [...counter.key, totals.get(name) as bigint]);
    },

    beginGroup(): void {
      for (const [name, counter] of changed) if (!counter.isId) forget(name);
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
