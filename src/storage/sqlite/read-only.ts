import { realpathSync } from 'node:fs';
import type { Environment } from '../../kernel/contract.ts';
import { type Call, SYSTEM_CALL } from '../../kernel/operation.ts';
import { type Database, refuseWrites } from '../database.ts';
import type { Sql } from '../sql.ts';
import { DatabaseUnusable, refuseEnvironment, refusePending, refuseUnfinishedMove } from '../unusable.ts';
import { connectSqlite } from './connection.ts';
import { noteMissingLog } from './files.ts';
import { createKeyIndex } from './key-index.ts';
import { isMoveTarget, planSqliteMigrations } from './open.ts';
import { createSnapshot } from './snapshot.ts';

export const openSqliteReader = (path: string, environment: Environment) => {
  const { seen, steps } = planSqliteMigrations(path);
  if (seen === 0) throw new DatabaseUnusable(`there is no database at ${path} yet; check the path`);
  if (steps.length > 0) refusePending(path, steps.length);
  const file = realpathSync(path);
  noteMissingLog(file);
  using opening = new DisposableStack();
  const reader = opening.use(connectSqlite(file, undefined, 'read'));
  if (isMoveTarget(reader)) refuseUnfinishedMove(path);
  const claimed = reader.one('SELECT environment FROM deployment', []) as { environment: string };
  refuseEnvironment(`${path} is`, claimed.environment, environment);
  opening.move();
  return { reader, file };
};

type Deps<Repositories> = { path: string; environment: Environment; bind(sql: Sql, call: Call): Repositories };

export const openSqliteReadOnly = <Reads, Repositories extends Reads>({
  path,
  environment,
  bind,
}: Deps<Repositories>): Database<Reads, Repositories> => {
  const { reader } = openSqliteReader(path, environment);
  // A read-only service accepts no writes, so no request uses an idempotency key, and the index stays empty.
  const { sql } = createSnapshot(reader, createKeyIndex());
  return {
    read: (storeId) => bind(sql, { ...SYSTEM_CALL, storeId }),
    write: refuseWrites,
    commits: () => 0,
    backlog: { pending: 0 },
    waitedMs: () => 0,
    canWrite: () => true,
    close: async () => reader.close(),
  };
};
