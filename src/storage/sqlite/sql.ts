import { createCounters } from '../counters.ts';
import { READ_ONLY, type Sql, type SqlValue } from '../sql.ts';
import type { SqliteConnection } from './connection.ts';

type Differing = Omit<Sql, 'one' | 'all' | 'lockRows' | 'mergesParts' | 'isSoleWriter' | 'lock' | 'tryLock' | 'writer'>;

/** `prepare` is called with each statement before it runs. */
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

/** Shows what is committed, in the read transaction that `begin` opens. */
export const createReadingSql = (reader: SqliteConnection, begin: () => void): Sql => sqlOn(reader, begin, READ_ONLY);

/** The SQL of the current transaction. Transactions run one after another, each to its end. */
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
    /** To run after the commit. */
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
