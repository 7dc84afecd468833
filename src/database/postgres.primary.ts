import { connectPostgres, type PostgresConnection } from './postgres.connection.ts';
import type { PostgresHost } from './postgres.url.ts';

const OLDEST_SERVER = 150_000;
/** For a start, which nobody waits for. */
const START_MS = 10_000;
/** As long as a request waits for a connection; less where there is another server to ask. */
const ALONE_MS = 2000;
const ONE_OF_SEVERAL_MS = 1000;

/** The server answers, but the service cannot work with it. */
class WrongServer extends Error {}

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
const connectTo = async (url: string, settings: string, withinMs: number): Promise<PostgresConnection> => {
  const connection = await connectPostgres(url, withinMs);
  const timer = setTimeout(() => connection.cut('the server takes too long to set up the session'), withinMs);
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
  if (!(cause instanceof Error)) return String(cause);
  // A refused connection to a name with several addresses has no message of its own.
  return cause.message || ((cause as NodeJS.ErrnoException).code ?? cause.name);
};

/** Connects to the server that takes writes: the one that did last time, else the first of the others that does. */
export const createPrimaryConnector = (hosts: readonly PostgresHost[]) => {
  let [latest] = hosts;
  let isFound = false;

  return async (settings: string): Promise<PostgresConnection> => {
    const servingMs = hosts.length === 1 ? ALONE_MS : ONE_OF_SEVERAL_MS;
    const withinMs = isFound ? servingMs : START_MS;
    // Others may find another one meanwhile.
    const first = latest;
    const faults: string[] = [];
    const attempt = async (host: PostgresHost): Promise<PostgresConnection> => {
      try {
        const connection = await connectTo(host.url, settings, withinMs);
        latest = host;
        isFound = true;
        return connection;
      } catch (error) {
        faults.push(`${host.name} ${error instanceof WrongServer ? '' : 'cannot be reached: '}${reason(error)}`);
        throw error;
      }
    };
    try {
      if (first) return await attempt(first);
    } catch {
      // The others are asked together, so that those which do not answer cost their time-out once.
      const others = hosts.filter((host) => host !== first).map(attempt);
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
