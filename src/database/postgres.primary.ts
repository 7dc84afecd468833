import { DatabaseError } from 'pg';
import { connectPostgres, type PostgresConnection } from './postgres.connection.ts';
import type { PostgresHost } from './postgres.url.ts';

const OLDEST_SERVER = 150_000;

/** The server answers, but the service cannot work with it. */
export class WrongServer extends Error {}

type State = { version: string; is_standby: string; is_read_only: string };

export const refuseServer = ({ version, is_standby, is_read_only }: State): void => {
  if (Number(version) < OLDEST_SERVER) {
    throw new WrongServer(`PostgreSQL ${Math.floor(Number(version) / 10_000)} is too old: 15 is needed`);
  }
  if (is_standby === 't') throw new WrongServer('is a standby');
  if (is_read_only === 'on') throw new WrongServer('takes no writes');
};

const STATE = `SELECT current_setting('server_version_num') AS version, pg_is_in_recovery() AS is_standby,
  current_setting('default_transaction_read_only') AS is_read_only`;

/** Connects and makes the session what `settings` say, within the time that a connection may take. */
const connectTo = async ({ url }: PostgresHost, settings: string): Promise<PostgresConnection> => {
  const connection = await connectPostgres(url);
  const timer = setTimeout(() => connection.cut('the server takes too long to set up the session'), 1000);
  try {
    const [state] = await connection.script(STATE);
    refuseServer(state as State);
    await connection.script(settings);
    return connection;
  } catch (error) {
    connection.cut('unfit');
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

const reason = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof DatabaseError || !(cause instanceof Error)) return String((cause as Error).message ?? cause);
  // A refused connection to a name with several addresses has no message of its own.
  return cause.message || ((cause as NodeJS.ErrnoException).code ?? cause.name);
};

/** Connects to the server that takes writes: the one that did last time, else the first of the others that does. */
export const createPrimaryConnector = (hosts: readonly PostgresHost[]) => {
  let [latest] = hosts;

  return async (settings: string): Promise<PostgresConnection> => {
    const faults: string[] = [];
    const attempt = async (host: PostgresHost): Promise<PostgresConnection> => {
      try {
        const connection = await connectTo(host, settings);
        latest = host;
        return connection;
      } catch (error) {
        faults.push(`${host.name} ${error instanceof WrongServer ? '' : 'cannot be reached: '}${reason(error)}`);
        throw error;
      }
    };
    try {
      if (latest) return await attempt(latest);
    } catch {
      // The others are asked together, so that those which do not answer cost their time-out once.
      const others = hosts.filter((host) => host !== latest).map(attempt);
      const found = await Promise.any(others).catch(() => undefined);
      for (const other of others) {
        other.then(
          (connection) => (connection === found ? undefined : connection.end()),
          () => undefined,
        );
      }
      if (found) return found;
    }
    throw new Error(faults.join('; '));
  };
};
