import { createCounters } from '../counters.ts';
import type { Sql, SqlValue } from '../sql.ts';
import type { SqliteConnection } from './connection.ts';

type Differing = Omit<Sql, 'one' | 'all' | 'lockRows' | 'mergesParts' | 'isSoleWriter' | 'lock' | 'tryLock' | 'writer'>;

/** `prepare` hears of each statement before it runs. */
const sqlOn = (connection: SqliteConnection, prepare: (text: string) => void, differing: Differing): Sql => ({
  one: <Row>(text: string, values: readonly SqlValue[]) => {
    prepare(text);
    return connection.one(text, values) as Row | undefined;
  },
  all: <Row>(text: string, values: readonly SqlValue[]) => {
    prepare(text);
    return connection.all(text, values) as Row[];
  },
  // One transaction writes at a time: no row can change under it.
  lockRows: '',
  mergesParts: true,
  isSoleWriter: true,
  lock: () => undefined,
  tryLock: async () => true,
  writer: 0n,
  ...differing,
});

const refuse = (): never => {
  throw new Error('nothing is written outside a transaction');
};

/** Shows what is committed, in the read transaction that `begin` opens. */
export const createReadingSql = (reader: SqliteConnection, begin: () => void): Sql =>
  sqlOn(reader, begin, {
    isReadOnly: true,
    run: async () => refuse(),
    nextId: async () => refuse(),
    nextIds: async () => refuse(),
    pause: () => undefined,
    add: async () => refuse(),
    total: async () => refuse(),
    writeCounters: () => undefined,
    afterCommit: refuse,
  });

/** The SQL of the transaction that runs now. They run one after another, each to its end. */
export const createWritingSql = (writer: SqliteConnection, pause: () => Promise<void>) => {
  let hasWritten = false;
  let effects: (() => void)[] = [];
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

  return {
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
        effects.push(effect);
      },
    }),
    counters,
    /** What it wants done after its commit, up to its end. */
    effects: () => effects,
    begin: (): void => {
      hasWritten = false;
      effects = [];
      counters.beginTransaction();
    },
    undo: counters.undoTransaction,
    hasWritten: () => hasWritten,
  };
};
