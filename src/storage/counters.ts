import type { Counter, IdKind } from './sql.ts';
import type { SqliteConnection } from './sqlite/connection.ts';

/** So many numbers are kept in memory from one commit to the next. */
const MOST_KEPT = 1000;

/** What is kept in memory is written as it is, never added to what the table has. */
type Kept = Omit<Counter, 'add'>;

const idCounter = (kind: IdKind): Kept => ({
  name: `ids ${kind}`,
  key: [kind],
  read: 'SELECT highest AS total FROM ids WHERE kind = $1',
  set: 'INSERT INTO ids (kind, highest) VALUES ($1, $2) ON CONFLICT (kind) DO UPDATE SET highest = excluded.highest',
});
const IDS: Record<IdKind, Kept> = {
  pets: idCounter('pets'),
  orders: idCounter('orders'),
  stores: idCounter('stores'),
};
const IS_ID = new Set<Kept>(Object.values(IDS));

/**
 * Numbers that nearly every transaction changes: counts, sequences, the highest ids. One process owns the file, so that
 * they are counted in memory and written once, before the commit of a group. A failed transaction takes back what it
 * added; an id is never taken back, so that it is never handed out twice.
 */
export const createCounters = (connection: Pick<SqliteConnection, 'one' | 'run'>) => {
  const totals = new Map<string, bigint>();
  /** Those that were changed since the last commit: the table may have another number, or have lost it in a rollback. */
  const changed = new Map<string, Kept>();
  /** What those that the running transaction changes came to before it; undefined if that was not known. */
  const before = new Map<string, bigint | undefined>();

  // Not kept in memory unless it is changed: a row that is only read may be gone with a rollback.
  const total = (counter: Kept): bigint | undefined =>
    totals.get(counter.name) ?? (connection.one(counter.read, counter.key) as { total: bigint } | undefined)?.total;

  const change = (counter: Kept, by: number): bigint => {
    const sum = (total(counter) ?? 0n) + BigInt(by);
    totals.set(counter.name, sum);
    changed.set(counter.name, counter);
    return sum;
  };

  const forget = (name: string): void => {
    totals.delete(name);
    changed.delete(name);
  };

  return {
    /** What it comes to; undefined if there is no such number. */
    total,

    add(counter: Kept, by: number): void {
      if (!before.has(counter.name)) before.set(counter.name, totals.get(counter.name));
      change(counter, by);
    },

    nextId: (kind: IdKind): bigint => change(IDS[kind], 1),

    nextIds(kind: IdKind, count: number): bigint[] {
      const first = change(IDS[kind], count) - BigInt(count) + 1n;
      return Array.from({ length: count }, (_, index) => first + BigInt(index));
    },

    /** Writes them to their tables: before the commit, and for a statement of a transaction that reads such a table. */
    write(): void {
      for (const [name, counter] of changed) connection.run(counter.set, [...counter.key, totals.get(name) as bigint]);
    },

    /** At the start of a group. What is still changed was not committed. */
    beginGroup(): void {
      for (const [name, counter] of changed) if (!IS_ID.has(counter)) forget(name);
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
      if (totals.size >= MOST_KEPT) totals.clear();
    },
  };
};
