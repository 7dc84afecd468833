import { once } from '../../kernel/runtime.ts';
import { causeOf, DatabaseUnusable } from '../unusable.ts';
import { connectPostgres, type PostgresConnection, type Prepare } from './connection.ts';

/** `name` is used in messages. Unlike `url`, it does not contain the password. */
export type PostgresHost = { name: string; url: string };

const PARTS = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^@/?#]*)(\/[^?#]*)?(\?[^#]*)?$/i;

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

export const parsePostgresUrl = (url: string, setting = 'DATABASE_URL'): PostgresHost[] => {
  const [, scheme, user = '', hosts, path = '', query = ''] = PARTS.exec(url) ?? [];
  const isValid = hosts?.split(',').every((host) => URL.canParse(`${scheme}${user}${host}${path}`));
  if (hosts === undefined || !isValid)
    throw new DatabaseUnusable(`${setting} must look like postgres://user:password@host:5432/name`);
  const parameters = new URLSearchParams(query);
  const mode = parameters.get('sslmode');
  if (mode !== null && !MODES.includes(mode))
    throw new DatabaseUnusable(`${setting}: sslmode must be one of ${MODES.join(', ')}`);
  // Makes the pg library interpret `sslmode` as PostgreSQL does: `require` encrypts, but does not verify the server.
  if (mode !== null) parameters.set('uselibpqcompat', 'true');
  return hosts.split(',').map((host) => ({
    name: `${host || parameters.get('host') || 'localhost'}${path}`,
    url: `${scheme}${user}${host}${path}?${parameters}`,
  }));
};

const OLDEST_SERVER = 15;
const START_MS = 10_000;
/** The time limits for opening a connection after startup, as fractions of `timeoutMs`. */
const ALONE = 0.4;
const ONE_OF_SEVERAL = 0.2;

class WrongServer extends Error {}

const REPLACED = 'another server has become the primary';

type Readiness = { version: string; is_standby: string; is_read_only: string };
type State = Readiness & { process: bigint; is_set: string };

/** PostgreSQL increases the timeline number each time a standby is promoted. */
type History = { cluster: bigint; timeline: string };

export type PrimaryOptions = {
  url: string;
  timeoutMs: number;
  prepare?: Prepare | undefined;
  /** If true, applies `SETTINGS` to the database role, unless the role already has these settings. */
  setsUpRole?: boolean;
};
type ConnectWish = Pick<PrimaryOptions, 'prepare' | 'setsUpRole'> & { withinMs: number; isOneOfSeveral: boolean };
type Found = { host: PostgresHost; connection: PostgresConnection; history: History | undefined };

/** @internal */
export const refuseServer = ({ version, is_standby, is_read_only }: Readiness): void => {
  const major = Math.floor(Number(version) / 10_000);
  if (major < OLDEST_SERVER)
    throw new WrongServer(`runs PostgreSQL ${major}, which is too old: petstore needs 15 or later`);
  if (is_standby === 't') throw new WrongServer('is a standby');
  if (is_read_only === 'on') throw new WrongServer('does not accept writes');
};

// These settings are stored with the database role, because a pooler shares sessions among clients. Sequential scans
// are off, because a plan that was cached for a small table would still scan the whole table after the table has grown.
const SETTINGS = Object.entries({
  enable_seqscan: 'off',
  jit: 'off',
  client_connection_check_interval: '1s',
  idle_in_transaction_session_timeout: '10s',
});
/** An operator may choose `remote_apply`, which is stronger than `on`. Weaker settings could lose committed data. */
const IS_SYNCED = "current_setting('synchronous_commit') IN ('on', 'remote_apply')";

const STATE = `SELECT current_setting('server_version_num') AS version, pg_is_in_recovery() AS is_standby,
  current_setting('default_transaction_read_only') AS is_read_only, pg_backend_pid() AS process,
  ${SETTINGS.map(([name, value]) => `current_setting('${name}') = '${value}'`).join(' AND ')} AND ${IS_SYNCED} AS is_set`;

const alterRole = ([name, value]: readonly string[]) =>
  `EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET ${name} = ''${value}''', current_database());`;

/** PostgreSQL rejects concurrent changes to a role. This lock makes instances that start together take turns. */
const SET_UP_ROLE = `DO $$ BEGIN
  PERFORM pg_advisory_xact_lock(${0x726f6c65});
  ${SETTINGS.map(alterRole).join('\n  ')}
  IF NOT ${IS_SYNCED} THEN ${alterRole(['synchronous_commit', 'on'])} END IF;
END $$`;

const HISTORY = `SELECT (SELECT system_identifier FROM pg_control_system()) AS cluster,
  substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline`;

const isReplaced = (history: History | undefined, newest: History | undefined): boolean =>
  history !== undefined && history.cluster === newest?.cluster && history.timeline < newest.timeline;

const connectTo = (host: PostgresHost, wish: ConnectWish, isSecond = false): Promise<Found> =>
  connectPostgres(host.url, wish.withinMs, async (connection) => {
    const [state] = (await connection.script(STATE)) as [State];
    refuseServer(state);
    if (state.is_set === 'f' && !isSecond && wish.setsUpRole) {
      await connection.script(SET_UP_ROLE);
      await connection.end();
      return connectTo(host, wish, true);
    }
    connection.nameStatements(wish.prepare ?? 'auto', state.process);
    const [history] = wish.isOneOfSeveral ? await connection.script(HISTORY) : [];
    return { host, connection, history: history as History | undefined };
  });

/** If all of a host's addresses refuse the connection, the error has a code but no message. */
const reason = (error: unknown): string => {
  const { message, code, name }: NodeJS.ErrnoException = causeOf(error);
  return message || (code ?? name);
};

/** The last known primary gets this much time to respond before the other servers are tried, too. */
const HEAD_START_MS = 200;

const createKnowledge = () => {
  let open: Found[] = [];
  const known = {
    latest: undefined as Found | undefined,

    accept(found: Found): void {
      if (isReplaced(found.history, known.latest?.history)) {
        found.connection.cut(REPLACED);
        throw new WrongServer('is no longer the primary: another server has replaced it');
      }
      if (!known.latest?.history || isReplaced(known.latest.history, found.history)) known.latest = found;
      const { history: newest } = known.latest;
      if (found.history) open = [...open.filter(({ connection }) => !connection.isBroken()), found];
      for (const { connection, history } of open) if (isReplaced(history, newest)) connection.cut(REPLACED);
    },
  };
  return known;
};

/**
 * If several servers accept writes, the most recently promoted server is the primary. Older primaries are never used
 * again.
 */
export const createPrimaryConnector = ({ url, timeoutMs, prepare, setsUpRole = false }: PrimaryOptions) => {
  const hosts = parsePostgresUrl(url);
  const known = createKnowledge();
  const isOneOfSeveral = hosts.length > 1;

  const attempt = async (host: PostgresHost, faults: string[]): Promise<Found | undefined> => {
    const servingMs = (isOneOfSeveral ? ONE_OF_SEVERAL : ALONE) * timeoutMs;
    const withinMs = known.latest ? servingMs : Math.max(START_MS, timeoutMs);
    try {
      const found = await connectTo(host, { prepare, setsUpRole, withinMs, isOneOfSeveral });
      known.accept(found);
      return found;
    } catch (error) {
      faults.push(`${host.name} ${error instanceof WrongServer ? '' : 'cannot be reached: '}${reason(error)}`);
      return undefined;
    }
  };

  /** `graceMs` limits the wait for a newer primary after the first server has responded. */
  const search = async (faults: string[], graceMs: number): Promise<Found | undefined> => {
    const { promise: late, resolve: waitNoLonger } = Promise.withResolvers<void>();
    const first = known.latest?.host;
    let best: Found | undefined;
    let isOver = false;
    const ask = async (host: PostgresHost): Promise<void> => {
      const found = await attempt(host, faults);
      if (!found || found.connection.isBroken()) return;
      if (isOver || (best && !isReplaced(best.history, found.history))) return found.connection.end();
      best = found;
      known.latest = found;
      isOver = graceMs === 0;
      setTimeout(waitNoLonger, graceMs).unref();
    };
    const askOthers = once(() => Promise.all(hosts.filter((host) => host !== first).map(ask)));
    const timer = setTimeout(askOthers, HEAD_START_MS);
    const askAll = async (): Promise<void> => {
      if (first) await ask(first);
      clearTimeout(timer);
      if (!best) await askOthers();
    };
    await Promise.race([askAll(), late]);
    isOver = true;
    return best;
  };

  return {
    /** The names of all servers, for messages. */
    where: hosts.map(({ name }) => name).join(', '),

    async connect(): Promise<PostgresConnection> {
      const faults: string[] = [];
      const found = await search(faults, known.latest ? 0 : ONE_OF_SEVERAL * timeoutMs);
      if (!found) throw new Error(faults.join('; '));
      return found.connection;
    },

    async findPrimary(): Promise<void> {
      const others = hosts.filter((host) => host !== known.latest?.host);
      const found = await Promise.all(others.map((host) => attempt(host, [])));
      for (const one of found) await one?.connection.end();
    },
  };
};
