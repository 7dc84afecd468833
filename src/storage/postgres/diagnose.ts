import { compareClocks, type Finding, ok, warning, wrong } from '../../kernel/finding.ts';
import { diagnoseMissing, pendingMigrations, UNFINISHED } from '../unusable.ts';
import { connectPostgres, type PostgresConnection } from './connection.ts';
import { MIGRATIONS } from './migrations.ts';
import { readDeployment, type Server, withPrimary } from './open.ts';

const STATE = `SELECT current_setting('server_version') AS version, current_setting('max_connections') AS most,
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
  current_setting('synchronous_commit') AS synced,
  (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`;

type State = { version: string; most: string; used: bigint; synced: string; now: bigint };

const diagnoseConnections = ({ most, used }: State, needed: number): Finding => {
  const free = Number(most) - Number(used);
  if (free >= needed) return ok('connections', `${used} of ${most} are in use`);
  const found = `${used} of ${most} are in use, but an instance may need up to ${needed}`;
  return warning('connections', found, 'raise max_connections, or lower PETSTORE_DATABASE_CONNECTIONS');
};

const diagnoseDurability = ({ synced }: State): Finding => {
  if (synced !== 'off') return ok('durability', `synchronous_commit is ${synced}`);
  const found = 'synchronous_commit is off: acknowledged writes can be lost';
  return warning('durability', found, 'set synchronous_commit to on');
};

const diagnoseSchema = (steps: number, readableFrom: number, mayCreate: boolean): Finding => {
  if (readableFrom > MIGRATIONS.length)
    return wrong('schema', `${steps}, written by a newer version of petstore`, 'use that version or a later one');
  const pending = `${steps}, ${pendingMigrations(MIGRATIONS.length - steps)}`;
  if (steps > 0 && steps < MIGRATIONS.length)
    return warning('schema', pending, 'make a backup before you start this version');
  if (steps > 0) return ok('schema', String(steps));
  return diagnoseMissing('schema', 'does not exist', mayCreate);
};

type Examined = Server & { readUrl: string | undefined; connections: number; mayCreate: boolean };

const SYSTEM = `SELECT pg_is_in_recovery() AS is_standby, (SELECT system_identifier FROM pg_control_system()) AS system,
  coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::bigint AS seconds`;

type System = { is_standby: string; system: string; seconds: bigint };

const diagnoseStandby = async (url: string, timeoutMs: number, primary: PostgresConnection): Promise<Finding> => {
  const advice = 'set PETSTORE_READ_URL to a standby of this server, or unset it';
  try {
    const [expected] = await primary.script(SYSTEM);
    const { is_standby, system, seconds } = await connectPostgres(url, timeoutMs, async (standby) => {
      const [state] = await standby.script(SYSTEM);
      await standby.end();
      return state as System;
    });
    if (is_standby !== 't')
      return wrong('standby', 'PETSTORE_READ_URL points to a server that is not a standby', advice);
    if (system !== (expected as System).system) return wrong('standby', 'the standby follows another server', advice);
    return ok('standby', `follows this server; last replayed a change ${seconds} s ago`);
  } catch (error) {
    return warning('standby', `${(error as Error).message}; the primary serves all reads`, advice);
  }
};

export const diagnosePostgres = async (server: Examined): Promise<Finding[]> => {
  try {
    return await withPrimary(server, async (connection, { where }) => {
      const askedAt = Date.now();
      const [state] = (await connection.script(STATE)) as [State];
      const clock = compareClocks('clock', "the database's", Number(state.now), askedAt);
      const deployment = await readDeployment(connection, where);
      const { steps = 0, readableFrom = 0 } = deployment ?? {};
      const found = [ok('database', `${where} accepts writes, PostgreSQL ${state.version}`), clock];
      if (deployment && deployment.environment !== server.environment) {
        const advice = `set PETSTORE_ENVIRONMENT=${deployment.environment}, or set DATABASE_URL to another database`;
        found.push(wrong('environment', `the database is a ${deployment.environment} database`, advice));
      }
      if (deployment?.isUnfinished) found.push(UNFINISHED);
      found.push(diagnoseSchema(steps, readableFrom, server.mayCreate));
      found.push(diagnoseConnections(state, server.connections), diagnoseDurability(state));
      if (server.readUrl) found.push(await diagnoseStandby(server.readUrl, server.timeoutMs, connection));
      return found;
    });
  } catch (error) {
    return [
      wrong('database', (error as Error).message, 'check that the server is running and that DATABASE_URL is correct'),
    ];
  }
};
