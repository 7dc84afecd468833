import { DatabaseUnusable } from '../unusable.ts';
import { connectPostgres, type PostgresConnection } from './connection.ts';

/** `name` is for messages: unlike `url`, it does not contain the password. */
export type PostgresHost = { name: string; url: string };

const PARTS = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^@/?#]*)(\/[^?#]*)?(\?[^#]*)?$/i;

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

export const parsePostgresUrl = (url: string, setting = 'DATABASE_URL'): PostgresHost[] => {
  const [, scheme, user = '', hosts, path = '', query = ''] = PARTS.exec(url) ?? [];
  const isValid = hosts?.split(',').every((host) => URL.canParse(`${scheme}${user}${host}${path}`));
  if (hosts === undefined || !isValid) {
    throw new DatabaseUnusable(`${setting} must look like postgres://user:password@host:5432/name`);
  }
  const parameters = new URLSearchParams(query);
  const mode = parameters.get('sslmode');
  if (mode !== null && !MODES.includes(mode)) {
    throw new DatabaseUnusable(`${setting}: sslmode must be one of ${MODES.join(', ')}`);
  }
  // Makes the pg library treat `sslmode` as PostgreSQL does: `require` only encrypts, and `verify-full` also verifies
  // the server.
  if (mode !== null) parameters.set('uselibpqcompat', 'true');
  return hosts.split(',').map((host) => ({
    name: `${host || parameters.get('host') || 'localhost'}${path}`,
    url: `${scheme}${user}${host}${path}?${parameters}`,
  }));
};

const OLDEST_SERVER = 150_000;
const START_MS = 10_000;
/** Timeouts for opening a connection after startup, as fractions of `timeoutMs`: with one server, and with several. */
const ALONE = 0.4;
const ONE_OF_SEVERAL = 0.2;

class WrongServer extends Error {}

const REPLACED = 'another server has become the primary';

type State = { version: string; is_standby: string; is_read_only: string };
type Session = { process: bigint; is_set: string };

/** PostgreSQL increases the timeline each time a standby is promoted. */
type History = { cluster: bigint; timeline: string };

export type SessionOptions = { prepare?: Prepare | undefined; isReadOnly?: boolean };
type ConnectWish = { session: SessionOptions; withinMs: number; isOneOfSeveral: boolean };
type Attempt = (host: PostgresHost) => Promise<Found | undefined>;
type Found = { host: PostgresHost; connection: PostgresConnection; history: History | undefined };

/** @internal */
export const refuseServer = ({ version, is_standby, is_read_only }: State): void => {
  if (Number(version) < OLDEST_SERVER) {
    throw new WrongServer(
      `runs PostgreSQL ${Math.floor(Number(version) / 10_000)}, which is too old: petstore needs 15 or later`,
    );
  }
  if (is_standby === 't') throw new WrongServer('is a standby');
  if (is_read_only === 'on') throw new WrongServer('does not accept writes');
};

/** When to use named prepared statements. `auto` uses them unless there is a pooler in front of the server. */
export type Prepare = 'auto' | 'always' | 'never';

/** A pooler reports its own process id, so two different ids mean that there is a pooler. */
export const isNaming = (prepare: Prepare, process: bigint, connection: PostgresConnection): boolean =>
  prepare === 'auto' ? process === connection.process : prepare === 'always';

/**
 * These settings are stored with the database role, because a pooler shares each session among many clients. Sequential
 * scans are off: a plan that was cached for a small table must not scan it after it has grown. Every query has an
 * index.
 */
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

/** PostgreSQL rejects concurrent changes to a role, so instances that start together take turns with this lock. */
const SET_UP_ROLE = `DO $$ BEGIN
  PERFORM pg_advisory_xact_lock(${0x726f6c65});
  ${SETTINGS.map(alterRole).join('\n  ')}
  IF NOT ${IS_SYNCED} THEN ${alterRole(['synchronous_commit', 'on'])} END IF;
END $$`;

/** The first eight hex digits of a WAL file's name are the timeline. */
const HISTORY = `SELECT (SELECT system_identifier FROM pg_control_system()) AS cluster,
  substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline`;

const isReplaced = (history: History | undefined, newest: History | undefined): boolean =>
  history !== undefined && history.cluster === newest?.cluster && history.timeline < newest.timeline;

const connectTo = async (host: PostgresHost, wish: ConnectWish, isSecond = false): Promise<Found> => {
  const { session, withinMs, isOneOfSeveral } = wish;
  const { prepare = 'auto', isReadOnly = false } = session;
  const connection = await connectPostgres(host.url, withinMs);
  const timer = setTimeout(() => connection.cut('the server did not set up the session in time'), withinMs);
  try {
    const [state] = await connection.script(STATE);
    refuseServer(state as State);
    const { process, is_set } = state as Session;
    if (is_set === 'f' && !isSecond && !isReadOnly) {
      await connection.script(SET_UP_ROLE);
      await connection.end();
      return await connectTo(host, wish, true);
    }
    connection.nameStatements(isNaming(prepare, process, connection));
    const [history] = isOneOfSeveral ? await connection.script(HISTORY) : [];
    return { host, connection, history: history as History | undefined };
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
  // If every address of a host refuses the connection, the error has a code but no message.
  return cause.message || ((cause as NodeJS.ErrnoException).code ?? cause.name);
};

/** Milliseconds that the last known primary has to respond before the other servers are asked too. */
const HEAD_START_MS = 200;

const createKnowledge = () => {
  let latest: PostgresHost | undefined;
  let newest: History | undefined;
  let open: Found[] = [];

  const use = ({ host, history }: Found): void => {
    latest = host;
    newest = history;
  };

  return {
    latest: () => latest,
    isOutdated: ({ history }: Found) => isReplaced(history, newest),
    use,

    accept(found: Found): boolean {
      if (isReplaced(found.history, newest)) {
        found.connection.cut(REPLACED);
        return false;
      }
      if (isReplaced(newest, found.history)) use(found);
      open = [...open.filter(({ connection }) => !connection.isBroken()), found];
      for (const { connection, history } of open) if (isReplaced(history, newest)) connection.cut(REPLACED);
      return true;
    },
  };
};

type Search = {
  timeoutMs: number;
  hosts: readonly PostgresHost[];
  known: ReturnType<typeof createKnowledge>;
  attempt: Attempt;
};

/** Returns the first server that accepts writes. If a newer primary answers later, it replaces the first. */
const race = ({ hosts, known, attempt }: Search, first: PostgresHost): Promise<Found | undefined> => {
  const { promise, resolve } = Promise.withResolvers<Found | undefined>();
  let isFound = false;
  const ask = async (host: PostgresHost): Promise<void> => {
    const found = await attempt(host);
    if (!found || !known.accept(found)) return;
    if (isFound) return found.connection.end();
    isFound = true;
    known.use(found);
    resolve(found);
  };
  let asked: Promise<unknown> | undefined;
  const askOthers = (): Promise<unknown> => {
    asked ??= Promise.all(hosts.filter((host) => host !== first).map(ask));
    return asked;
  };
  const timer = setTimeout(askOthers, HEAD_START_MS);
  void ask(first).then(async () => {
    clearTimeout(timer);
    if (!isFound) await askOthers();
    resolve(undefined);
  });
  return promise;
};

/**
 * At startup, asks all servers and uses the one that was promoted last. Waits only briefly after the first response.
 */
const compare = async ({ timeoutMs, hosts, known, attempt }: Search): Promise<Found | undefined> => {
  const { promise: late, resolve: waitNoLonger } = Promise.withResolvers<void>();
  let best: Found | undefined;
  let isOver = false;
  const ask = async (host: PostgresHost): Promise<void> => {
    const found = await attempt(host);
    if (!found) return;
    setTimeout(waitNoLonger, ONE_OF_SEVERAL * timeoutMs).unref();
    const isBetter = !isOver && (!best || isReplaced(best.history, found.history));
    void (isBetter ? best : found)?.connection.end();
    if (isBetter) best = found;
  };
  await Promise.race([Promise.all(hosts.map(ask)), late]);
  isOver = true;
  if (!best || !known.accept(best)) return undefined;
  known.use(best);
  return best;
};

/**
 * If several servers accept writes, the primary is the one that was promoted last. Once this process has seen a newer
 * primary, it never uses the old one again.
 */
export const createPrimaryConnector = (
  hosts: readonly PostgresHost[],
  timeoutMs: number,
  session: SessionOptions = {},
) => {
  const known = createKnowledge();
  const isOneOfSeveral = hosts.length > 1;

  const attemptWith =
    (faults: string[]): Attempt =>
    async (host) => {
      const servingMs = (isOneOfSeveral ? ONE_OF_SEVERAL : ALONE) * timeoutMs;
      const withinMs = known.latest() ? servingMs : Math.max(START_MS, timeoutMs);
      try {
        const found = await connectTo(host, { session, withinMs, isOneOfSeveral });
        if (!known.isOutdated(found)) return found;
        found.connection.cut(REPLACED);
        throw new WrongServer('is no longer the primary: another server has replaced it');
      } catch (error) {
        faults.push(`${host.name} ${error instanceof WrongServer ? '' : 'cannot be reached: '}${reason(error)}`);
        return undefined;
      }
    };

  return {
    async connect(): Promise<PostgresConnection> {
      const faults: string[] = [];
      const search = { timeoutMs, hosts, known, attempt: attemptWith(faults) };
      const latest = known.latest();
      const found = await (latest ? race(search, latest) : compare(search));
      if (!found) throw new Error(faults.join('; '));
      return found.connection;
    },

    async findPrimary(): Promise<void> {
      const attempt = attemptWith([]);
      const found = await Promise.all(hosts.filter((host) => host !== known.latest()).map(attempt));
      for (const one of found) if (one && known.accept(one)) await one.connection.end();
    },
  };
};
