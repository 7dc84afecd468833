import { type Call, OWN_CALL } from '../kernel/operation.ts';
import type { Database } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { createIdCounters } from './id-counters.ts';
import type { Sql, SqlValue } from './sql.ts';
import type { SqliteConnection } from './sqlite.connection.ts';
import { openSqliteFile } from './sqlite.open.ts';

type Deps<Stores> = {
  path: string;
  environment: string;
  /** The stores of one call on one connection. */
  bind(sql: Sql, call: Call): Stores;
};

const sqlOn = (connection: SqliteConnection, nextId: Sql['nextId']): Sql => ({
  one: async <Row>(text: string, values: readonly SqlValue[]) => connection.one(text, values) as Row | undefined,
  all: async <Row>(text: string, values: readonly SqlValue[]) => connection.all(text, values) as Row[],
  run: async (text, values) => connection.run(text, values),
  nextId,
});

/** The embedded engine: one writer with group commit, one reader beside it that sees what is committed. */
export const openSqlite = <Reads, Stores extends Reads>({
  path,
  environment,
  bind,
}: Deps<Stores>): Database<Reads, Stores> => {
  const { writer, reader, close } = openSqliteFile(path, environment);
  const ids = createIdCounters(writer);
  const groups = createGroupCommit({
    ...writer,
    commit: () => {
      ids.save();
      writer.commit();
    },
  });
  const writing = sqlOn(writer, async (kind) => ids.next(kind));
  const reading = sqlOn(reader, async () => {
    throw new Error('ids are handed out inside transactions only');
  });

  return {
    read: (storeId) => bind(reading, { ...OWN_CALL, storeId }),
    write: (call, body) => groups.run(() => body(bind(writing, call))),
    async close() {
      await groups.idle();
      writer.script('PRAGMA wal_checkpoint(TRUNCATE)');
      close();
    },
  };
};
