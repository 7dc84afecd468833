import type { Counter, IdKind } from '../sql.ts';
import { type SqliteConnection, sqlOn, storageFailure } from './connection.ts';

/** The SQL of the current transaction. Transactions run one after another, each to its end. */
export const createWritingSql = (writer: SqliteConnection, pause: () => Promise<void>) => {
  let hasWritten = false;
  const counters = createCounters({
    one: writer.one,
    run: (text, values) => {
      hasWritten = true;
      writer.run(text, values);
    },
  });
  const prepare = (text: string): void => {
    hasWritten ||= !text.startsWith('SELECT');
  };

  const writing = {
    sql: sqlOn(writer, prepare, {
      isReadOnly: false,
      run: (text, values) => {
        prepare(text);
        writer.run(text, values);
      },
      nextId: counters.nextId,
      nextIds: counters.nextIds,
      pause,
      add: counters.add,
      total: counters.total,
      writeCounters: counters.write,
      afterCommit: (effect) => {
        writing.effects.push(effect);
      },
    }),
    counters,
    /** To run after the commit. */
    effects: [] as (() => void)[],
    begin: (): void => {
      hasWritten = false;
      writing.effects = [];
      counters.beginTransaction();
    },
    undo: counters.undoTransaction,
    hasWritten: () => hasWritten,
  };
  return writing;
};

/**
 * One read transaction for all reads of one turn of the event loop: one for each would cost a third of a read. It is held
 * from before a commit until its sync is done, so that nobody reads what is not on disk yet.
 */
export const createSnapshot = (reader: SqliteConnection) => {
  let isOpen = false;
  let isHeld = false;

  const end = (): void => {
    if (!isOpen || isHeld) return;
    isOpen = false;
    try {
      // A read that failed may have ended it.
      if (reader.inTransaction()) reader.commit();
    } catch {
      // Nothing was written here; the next read reports what is wrong with the file.
    }
  };

  const begin = (): void => {
    // A read that failed may have ended it, and a new one would show what is not on disk yet.
    if (isHeld && !reader.inTransaction()) throw storageFailure(new Error('the snapshot is lost'));
    if (isOpen) return;
    // The first read takes the snapshot.
    reader.run('BEGIN', []);
    isOpen = true;
    setImmediate(end);
  };

  return {
    begin,
    end,
    /** Keeps what can be read unchanged until `release`. */
    hold: (): void => {
      begin();
      // A transaction takes its snapshot with its first read.
      reader.one('SELECT 1 FROM sqlite_schema LIMIT 1', []);
      isHeld = true;
    },
    release: (): void => {
      isHeld = false;
      end();
    },
  };
};

/** Maximum number of counters kept in memory from one commit to the next. */
const MOST_KEPT = 1000;

/** Numbers kept in memory replace those in the table and are never added to them. */
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
 * Numbers that nearly every transaction changes: counts, sequences, the highest ids. One process owns the file, so they are
 * counted in memory and written once, before the commit of a group. A failed transaction takes back what it added, except
 * ids, which are never handed out twice. @internal
 */
export const createCounters = (connection: Pick<SqliteConnection, 'one' | 'run'>) => {
  const totals = new Map<string, bigint>();
  /** Changed since the last commit: the table may have another number, or have lost it in a rollback. */
  const changed = new Map<string, Kept>();
  /** Values before the running transaction; undefined if unknown. */
  const before = new Map<string, bigint | undefined>();

  // Not cached unless changed: a row that is only read may be gone after a rollback.
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

    /** Before the commit, and before a statement that reads such a table. */
    write(): void {
      for (const [name, counter] of changed) connection.run(counter.set, [...counter.key, totals.get(name) as bigint]);
    },

    /** Forgets changes that were not committed. */
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
