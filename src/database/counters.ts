import type { Counter, SqlValue } from './sql.ts';

type Connection = {
  one(text: string, values: readonly SqlValue[]): unknown;
  run(text: string, values: readonly SqlValue[]): void;
};

type Amount = { sum: Counter; by: number };

/** So many totals, and so many texts of statements, are remembered. */
const MOST_KNOWN = 1000;

/**
 * Numbers that many transactions of a group add to, written once for the group. What a transaction has added is taken
 * back when it fails; and a statement that names a table with such numbers finds them written, if `settleFor` comes
 * before it.
 */
export const createCounters = (connection: Connection) => {
  /** What is to be written before the commit. */
  const pending = new Map<string, Amount>();
  /** What each number comes to with all that is pending: one process owns the file, and nothing else changes them. */
  const totals = new Map<string, bigint>();
  /** Of the transaction that runs now: what it has added, and what was written meanwhile, its own and that of others. */
  let added: Amount[] = [];
  let written: Amount[] = [];
  const tables = new Set<string>();
  const isConcerned = new Map<string, boolean>();
  let isSound = true;

  const put = ({ sum, by }: Amount): void => {
    const known = pending.get(sum.name);
    if (known) known.by += by;
    else pending.set(sum.name, { sum, by });
  };

  const write = (): void => {
    for (const [name, amount] of pending) {
      if (amount.by !== 0) connection.run(amount.sum.add, [...amount.sum.key, amount.by]);
      // One by one: what comes behind one that cannot be written is pending still.
      pending.delete(name);
      written.push(amount);
    }
  };

  const forgetBody = (): void => {
    added = [];
    written = [];
  };

  const concerns = (text: string): boolean => {
    const known = isConcerned.get(text);
    if (known !== undefined) return known;
    if (isConcerned.size >= MOST_KNOWN) isConcerned.clear();
    const found = [...tables].some((table) => text.includes(table));
    isConcerned.set(text, found);
    return found;
  };

  return {
    add(sum: Counter, by: number): void {
      if (!tables.has(sum.table)) {
        tables.add(sum.table);
        isConcerned.clear();
      }
      const amount = { sum, by };
      put(amount);
      added.push(amount);
      const total = totals.get(sum.name);
      if (total !== undefined) totals.set(sum.name, total + BigInt(by));
    },

    /** What it comes to; undefined if there is no such number. */
    total(sum: Counter): bigint | undefined {
      const known = totals.get(sum.name);
      if (known !== undefined) return known;
      const row = connection.one(sum.read, sum.key) as { total: bigint } | undefined;
      if (!row) return undefined;
      if (totals.size >= MOST_KNOWN) totals.clear();
      const total = row.total + BigInt(pending.get(sum.name)?.by ?? 0);
      totals.set(sum.name, total);
      return total;
    },

    /** Writes what is pending if the statement may look at it. */
    settleFor(text: string): void {
      if (pending.size > 0 && concerns(text)) write();
    },

    /** Nothing of a group that was not committed counts. */
    begin(): void {
      if (!isSound) totals.clear();
      isSound = false;
      pending.clear();
      forgetBody();
    },

    /** The transaction of the group that ran last went well, or another is about to run. */
    endBody: forgetBody,

    /** What it wrote is undone with it: what others had added is pending again, and what it added itself is not. */
    undoBody(): void {
      for (const amount of written) put(amount);
      for (const { sum, by } of added) {
        put({ sum, by: -by });
        totals.delete(sum.name);
      }
      forgetBody();
    },

    /** Has to run inside each transaction, before its commit. */
    save: write,

    committed(): void {
      isSound = true;
    },
  };
};
