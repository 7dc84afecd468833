import type { Environment } from '../../kernel/contract.ts';
import {
  causeOf,
  DatabaseUnusable,
  type MigrationPlan,
  planMigrations,
  refuseEnvironment,
  refuseNewer,
} from '../unusable.ts';
import type { PostgresConnection } from './connection.ts';
import { MIGRATIONS } from './migrations.ts';
import { createPrimaryConnector, parsePostgresUrl } from './primary.ts';

/** Lock number that only petstore uses: "pets" in ASCII. */
const MIGRATING = 0x70657473;

/** Instances that start at the same time wait for the one that migrates. */
const MIGRATION_SESSION = "SET statement_timeout = 0; SET lock_timeout = '60s'";
/** Maximum duration of a migration, in ms. A server that stops answering must not block a start forever. */
const MIGRATION_MS = 600_000;

type Deployment = { environment: string; steps: bigint };

export const readDeployment = async (connection: PostgresConnection): Promise<Deployment | undefined> => {
  const [known] = await connection.query("SELECT to_regclass('deployment')::text AS name", []);
  if ((known as { name: string | null }).name === null) return undefined;
  const [deployment] = await connection.query('SELECT environment, steps FROM deployment', []);
  return deployment as Deployment | undefined;
};

/** Migrates the schema and claims the database for its environment, in one transaction, one instance at a time. */
const prepare = async (
  connection: PostgresConnection,
  where: string,
  environment: Environment,
  migrations: readonly string[],
): Promise<void> => {
  await connection.script(`BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(${MIGRATING})`);
  const deployment = await readDeployment(connection);
  const seen = Number(deployment?.steps ?? 0);
  refuseNewer(where, seen, migrations.length);
  if (deployment) refuseEnvironment(`${where} is`, deployment.environment, environment);
  for (const step of migrations.slice(seen)) await connection.script(step);
  if (!deployment) await connection.query('INSERT INTO deployment (environment, steps) VALUES ($1, 0)', [environment]);
  if (seen < migrations.length) await connection.query('UPDATE deployment SET steps = $1', [migrations.length]);
  await connection.commit();
};

type Server = { url: string; environment: Environment; timeoutMs: number };

/** Runs `use` in a session on the primary, for up to ten minutes. Reports any problem in one sentence. */
export const withPrimary = async <Result>(
  { url, timeoutMs }: Pick<Server, 'url' | 'timeoutMs'>,
  use: (connection: PostgresConnection, where: string) => Promise<Result>,
) => {
  const hosts = parsePostgresUrl(url);
  const where = hosts.map(({ name }) => name).join(', ');
  const primary = createPrimaryConnector(hosts, timeoutMs);
  let connection: PostgresConnection | undefined;
  const timer = setTimeout(() => connection?.cut('the server did not respond in time'), MIGRATION_MS);
  try {
    connection = await primary.connect(MIGRATION_SESSION);
    return { result: await use(connection, where), ...primary, hasOthers: hosts.length > 1 };
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error;
    const cause = causeOf(error);
    throw new DatabaseUnusable(`cannot use the database ${where}: ${cause.message}`, { cause });
  } finally {
    clearTimeout(timer);
    await connection?.end();
  }
};

/** Finds the primary, checks it and migrates its schema. */
export const openPostgresServer = (server: Server, migrations = MIGRATIONS) =>
  withPrimary(server, (connection, where) => prepare(connection, where, server.environment, migrations));

export const planPostgresMigrations = async (
  server: Pick<Server, 'url' | 'timeoutMs'>,
  migrations = MIGRATIONS,
): Promise<MigrationPlan> => {
  const { result } = await withPrimary(server, async (connection, where) => {
    const deployment = await readDeployment(connection);
    return planMigrations(where, Number(deployment?.steps ?? 0), migrations);
  });
  return result;
};
