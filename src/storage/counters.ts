import type { Counter, IdKind } from './sql.ts';
import type { SqliteConnection } from './sqlite/connection.ts';

/** Maximum counters kept in memory between commits. */
const MOST_KEPT = 1000;

/** Kept values replace those in the table; they are never added to them. */
type Kept = Omit<Counter, 'add'>;

const idCounter = (kind: IdKind): Kept => ({
  name: `ids ${kind}`,
  key: [kind],
  read: 'SELECT highest AS total FROM ids WHERE kind = $1',
  set: 'INSERT INTO ids (kind, highest) VALUES ($1, $2) ON CONFLICT (kind) DO UPDATE SET highest = excluded.highest',
});
const IDS: Record<IdKind, Kept> = { pets: idCounter('pets'), orders: idCounter('orders'), stores: idCounter('stores') };
const IS_ID = new Set<Kept>(Object.values(IDS));

/**
 * Numbers that nearly every transaction changes: counts, sequences, highest ids. One process owns the file, so they are
 * counted in memory and written once, before a group commits. A failed transaction undoes its additions, except ids,
 * which are never handed out twice.
 */
export const createCounters = (connection: Pick<SqliteConnection, 'one' | 'run'>) => {
  const totals = new Map<string, bigint>();
  /** Changed since the last commit: the table may have another value, or may have lost it in a rollback. */
  const changed = new Map<string, Kept>();
  /** Values before the running transaction; undefined if unknown. */
  const before = new Map<string, bigint | undefined>();

  // Not cached unless changed: a row that was only read may be gone after a rollback.
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

    /** Must run before the commit, and before a statement that reads such a table. */
    write(): void {
      for (const [name, counter] of changed) connection.run(counter.set, [...counter.key, totals.get(name) as bigint]);
    },

    /** Discards changes that were not committed. */
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
