import { NOTED_FOR_MS } from '../../kernel/operation.ts';
import type { Elapsed } from '../../kernel/runtime.ts';
import type { SqlValue } from '../sql.ts';
import { causeOf } from '../unusable.ts';
import { connectPostgres, type PostgresConnection, type Prepare } from './connection.ts';
import { createPostgresPool } from './pool.ts';

const MAX_LAG_MS = 5000;
// Redis stores a time for each write. The write is committed at most this many milliseconds after that time. The extra
// second allows for small jumps in Redis's clock.
const COMMITTED_MS = NOTED_FOR_MS + 1000;

/** These fractions of `timeoutMs` are small, because a read that fails here runs again on the primary. */
const BOUNDS = { wait: 0.1, inAll: 0.2 };

// `run` identifies one run of one server, because a host name may belong to several standbys, and a restarted standby
// may show an older state. The timeline is read from three sources, because each of them may be outdated or missing.
const STATE = `SELECT pg_is_in_recovery() AS is_standby, (pg_last_wal_replay_lsn() - '0/0')::bigint AS position,
  (SELECT system_identifier FROM pg_control_system()) || ' ' ||
    greatest((SELECT timeline_id FROM pg_control_checkpoint()),
      (SELECT min_recovery_end_timeline FROM pg_control_recovery()),
      (SELECT received_tli FROM pg_stat_wal_receiver)) AS history,
  concat(pg_postmaster_start_time(), ' ', (SELECT pid FROM pg_stat_wal_receiver)) AS run, pg_backend_pid() AS process`;

type State = { is_standby: string; position: bigint | null; history: string; run: string; process: bigint };
type WalMark = { position: bigint; history: string };
type Query = PostgresConnection['query'];

export type StandbyOptions = {
  url: string;
  elapsed: Elapsed;
  areWritesNoted(): boolean;
  count(server: 'primary' | 'standby'): void;
  changed(reason: string | undefined): void;
};

type Deps = StandbyOptions & { timeoutMs: number; connections: number; prepare?: Prepare | undefined; primary: Query };

const REPLACED = 'the standby was restarted or replaced, or PETSTORE_READ_URL points to several servers';

/** All connections must lead to the server that was polled, and that server must not have restarted since the poll. */
const createConnect = (
  { url, timeoutMs, prepare = 'auto' }: Deps,
  isPolled: (run: string, isFirst: boolean) => boolean,
) => {
  let open: PostgresConnection[] = [];
  return () =>
    connectPostgres(url, BOUNDS.wait * timeoutMs, async (connection) => {
      const { run, process } = (await connection.script(STATE))[0] as State;
      open = open.filter((one) => !one.isBroken());
      if (!isPolled(run, open.length === 0)) throw new Error(REPLACED);
      open.push(connection);
      connection.nameStatements(prepare, process);
      return connection;
    });
};

/** A standby that has replayed the WAL to the primary's position at time `at` has all writes acknowledged by then. */
export const createStandby = (deps: Deps) => {
  const { timeoutMs, connections, elapsed, areWritesNoted, count, changed, primary } = deps;
  let marks: (WalMark & { at: number })[] = [];
  let freshAt = Number.NEGATIVE_INFINITY;
  let polledRun: string | undefined;
  let problem: string | undefined = 'not polled yet';
  let isPolling = false;

  const isPolled = (run: string, mayReplace: boolean): boolean => {
    if (run === polledRun) return true;
    if (mayReplace) [polledRun, freshAt] = [run, Number.NEGATIVE_INFINITY];
    return mayReplace;
  };
  const pool = createPostgresPool(createConnect(deps, isPolled), timeoutMs, connections, BOUNDS);

  const report = (now?: string): void => {
    if (now === problem) return;
    problem = now;
    changed(now);
  };
  const leave = (error: unknown): void => {
    freshAt = Number.NEGATIVE_INFINITY;
    report(causeOf(error).message);
  };

  const ask = async (mark: WalMark): Promise<void> => {
    const before = polledRun;
    const [state] = await pool.use((connection) => connection.script(STATE));
    const { is_standby, position, history, run } = state as State;
    isPolled(run, true);
    if (is_standby !== 't') throw new Error('it is no longer a standby');
    if (before !== undefined && run !== before) throw new Error(REPLACED);
    if (history !== mark.history) throw new Error("it does not follow the primary's server and timeline");
    const replayed = marks.findLast((one) => one.history === history && position !== null && one.position <= position);
    freshAt = Math.max(freshAt, replayed?.at ?? freshAt);
    if (elapsed() - freshAt > MAX_LAG_MS) throw new Error(`it lags by more than ${MAX_LAG_MS / 1000} seconds`);
    report();
  };

  return {
    /** `at` is a time just before `mark` was read from the primary. The returned promise never rejects. */
    async poll(at: number, mark: WalMark): Promise<void> {
      marks = [...marks.filter((one) => at - one.at <= MAX_LAG_MS), { ...mark, at }];
      if (isPolling) return;
      isPolling = true;
      await ask(mark).catch(leave);
      isPolling = false;
    },

    accepts(sinceWriteMs: number | undefined): boolean {
      const lagMs = elapsed() - freshAt;
      if (lagMs <= MAX_LAG_MS && lagMs + COMMITTED_MS <= (sinceWriteMs ?? 0) && areWritesNoted()) return true;
      count('primary');
      return false;
    },

    async query(text: string, values: readonly SqlValue[]): Promise<unknown[]> {
      try {
        const run = polledRun;
        const rows = await pool.use((connection) => {
          if (run !== polledRun) throw new Error(REPLACED);
          return connection.query(text, values);
        });
        count('standby');
        return rows;
      } catch (error) {
        leave(error);
        count('primary');
        return primary(text, values);
      }
    },

    lagSeconds: (): number | undefined => (problem === undefined ? (elapsed() - freshAt) / 1000 : undefined),
    state: pool.state,
    close: pool.close,
  };
};

export type Standby = ReturnType<typeof createStandby>;
