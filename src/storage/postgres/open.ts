import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../kernel/contract.ts';
import {
  asUnusable,
  type DatabaseUse,
  fingerprintOf,
  madeInDevelopment,
  planMigrations,
  refuseEnvironment,
  refuseNewer,
  refusePending,
  refuseUnfinishedMove,
  UNFINISHED_MOVE,
} from '../unusable.ts';
import { isConflict, type PostgresConnection } from './connection.ts';
import { MIGRATIONS } from './migrations.ts';
import { createPrimaryConnector, type PrimaryOptions } from './primary.ts';

/** Lets only one instance migrate at a time. The lock's number is "pets" in ASCII. */
const TRY_LOCK = `SELECT pg_try_advisory_xact_lock(${0x70657473})::text AS is_ours`;

/** The time limit for all migrations together. Without this limit, a hanging server could block startup forever. */
const MIGRATION_MS = 600_000;
// While a step waits for a table lock, requests have to wait for the step. For this reason, the step stops waiting
// after `LOCK_MS` and lets requests run for `PAUSE_MS`.
const LOCK_MS = 300;
const PAUSE_MS = 700;

const FIRST_SCHEMA = fingerprintOf(MIGRATIONS);
type DeploymentRow = { environment: string; steps: bigint; readable_from: bigint; first_schema?: bigint };

export const readDeployment = async (connection: PostgresConnection, where: string) => {
  const [known] = await connection.query(
    `SELECT to_regclass('deployment')::text AS name, to_regclass('${UNFINISHED_MOVE}')::text AS unfinished`,
    [],
  );
  const { name, unfinished } = known as { name: string | null; unfinished: string | null };
  if (name === null) return undefined;
  const [found] = await connection.query('SELECT * FROM deployment', []);
  const { environment, steps, readable_from, first_schema } = found as DeploymentRow;
  if (first_schema !== FIRST_SCHEMA) throw madeInDevelopment(where);
  return { environment, steps: Number(steps), readableFrom: Number(readable_from), isUnfinished: unfinished !== null };
};

const CONCURRENT_INDEX = /^\s*CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\w+)/m;

// Most steps begin by updating the step count. The update locks the row that contains the count, so no other instance
// can run the same step, even if the advisory lock has been lost.
const runStep = async (connection: PostgresConnection, step: string, steps: number, environment: Environment) => {
  const [, index] = CONCURRENT_INDEX.exec(step) ?? [];
  if (index) {
    // If an earlier build of the index failed, it left an unusable index with this name.
    await connection.script(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
    await connection.script(step);
    await connection.query('UPDATE deployment SET steps = $1', [steps]);
    return;
  }
  try {
    await connection.script(`BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${LOCK_MS}`);
    const counted = 'UPDATE deployment SET steps = $1 WHERE steps = $1 - 1 RETURNING steps';
    const isNext = steps === 1 || (await connection.query(counted, [steps])).length === 1;
    if (isNext) await connection.script(step);
    const created = 'INSERT INTO deployment (environment, steps, first_schema) VALUES ($1, 1, $2)';
    if (steps === 1) await connection.query(created, [environment, FIRST_SCHEMA]);
    await connection.commit();
  } catch (error) {
    if (!connection.isBroken()) await connection.script('ROLLBACK');
    throw error;
  }
};

export type Server = PrimaryOptions & { environment: Environment };
type Opening = Server & { use?: DatabaseUse };
type Primary = ReturnType<typeof createPrimaryConnector>;

const prepare = async (
  connection: PostgresConnection,
  { where, connect }: Primary,
  { environment, use = 'write' }: Opening,
  migrations: readonly string[],
): Promise<void> => {
  const readSteps = async (): Promise<number> => {
    const deployment = await readDeployment(connection, where);
    if (!deployment) return 0;
    if (deployment.isUnfinished && use !== 'move here') refuseUnfinishedMove(where);
    refuseNewer(where, deployment.steps, migrations.length, deployment.readableFrom);
    refuseEnvironment(`${where} is`, deployment.environment, environment);
    return deployment.steps;
  };
  const seen = await readSteps();
  // Fails behind a pooler in statement mode. Without this check, the service would start, but every write would fail.
  await connection.script('BEGIN');
  await connection.script('COMMIT');
  if (seen >= migrations.length) return;
  if (use === 'read') refusePending(where, migrations.length - seen);

  // The lock needs an open transaction, but some steps cannot run in a transaction, so the lock has its own connection.
  const guard = await connect();
  guard.onBroken(() => connection.cut('the connection that holds the migration lock was lost'));
  try {
    await guard.script('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    // A concurrent index build waits until all older snapshots are closed. `tryLock` neither waits nor sends
    // parameters, because either would keep a snapshot open.
    const tryLock = async () =>
      (await (guard.script(TRY_LOCK) as Promise<[{ is_ours: string }]>))[0].is_ours === 'true';
    let isLocked = false;
    for (let steps = await readSteps(); steps < migrations.length; steps = await readSteps()) {
      if (isLocked) {
        await runStep(connection, migrations[steps] as string, steps + 1, environment).catch(async (error) => {
          if (!isConflict(error)) throw error;
          await sleep(PAUSE_MS);
        });
      } else {
        isLocked = await tryLock();
        if (!isLocked) await sleep(PAUSE_MS);
      }
    }
  } finally {
    await guard.end();
  }
};

export const withPrimary = async <Result>(
  server: PrimaryOptions,
  use: (connection: PostgresConnection, primary: Primary) => Promise<Result>,
): Promise<Result> => {
  const primary = createPrimaryConnector(server);
  let connection: PostgresConnection | undefined;
  const timer = setTimeout(
    () => connection?.cut('stopped after 10 minutes: the server is not responding, or a long transaction holds a lock'),
    MIGRATION_MS,
  );
  try {
    connection = await primary.connect();
    return await use(connection, primary);
  } catch (error) {
    throw asUnusable(error, `cannot use the database ${primary.where}`);
  } finally {
    clearTimeout(timer);
    await connection?.end();
  }
};

export const openPostgresServer = (server: Opening, migrations = MIGRATIONS): Promise<Primary> =>
  withPrimary({ ...server, setsUpRole: server.use !== 'read' }, async (connection, primary) => {
    await prepare(connection, primary, server, migrations);
    return primary;
  });

export const planPostgresMigrations = (server: PrimaryOptions, migrations = MIGRATIONS) =>
  withPrimary(server, async (connection, { where }) => {
    const { steps = 0, readableFrom = 0 } = (await readDeployment(connection, where)) ?? {};
    return planMigrations(where, steps, migrations, readableFrom);
  });
