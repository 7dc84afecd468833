import { Database as SqliteFile } from 'bun:sqlite';
import { MIGRATIONS } from '../../src/database/migrations.sqlite.ts';
import type { PostgresDatabase } from '../../src/database/postgres.ts';
import type { Sql, SqlValue } from '../../src/database/sql.ts';
import { type Call, SYSTEM_CALL } from '../../src/kernel/operation.ts';
import type { Owner } from './scheduler.ts';
import { SIMULATED, type Simulation } from './simulation.ts';
import { fillStore } from './stored.ts';

/** How often something is lost on the way to the server and back while it storms. */
const LOST = 0.02;
/** When it is known that no answer comes. */
const LOST_MS = 2000;

/** What PostgreSQL has and the other engine has not: events without a number, changes since a mark, leases. */
const DIFFERING = `
  DROP TABLE events;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT, store_id INTEGER NOT NULL, sequence INTEGER, id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL, occurred_at INTEGER NOT NULL, data TEXT NOT NULL, actor_key_id TEXT, request_id TEXT,
    traceparent TEXT, address TEXT, pet_id INTEGER, order_id INTEGER, UNIQUE (store_id, sequence)) STRICT;
  ALTER TABLE stores ADD COLUMN sequenced_in INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) STRICT;`;

export const makeServerTemplate = (): Buffer => {
  const file = new SqliteFile(':memory:');
  for (const migration of [...MIGRATIONS, DIFFERING]) file.run(migration);
  fillStore(file);
  return file.serialize();
};

type Lease = { name: string; holder: string; until: number };
type Bind<Repositories> = (sql: Sql, call: Call) => Repositories;
type Values = readonly SqlValue[];

/**
 * A server that many instances share. The statements are those of the service, and transactions follow one another; the
 * way to it is long and loses things. What only PostgreSQL can run is done here: `assign_sequences` and the changes since a mark.
 */
export const createServer = (simulation: Simulation, template: Buffer, toleranceMs: number) => {
  const { scheduler, chance, latencyMs, count, expect } = simulation;
  const file = SqliteFile.deserialize(template, { strict: true, safeIntegers: true });
  const owner = scheduler.createOwner('server');
  const clock = (): number => scheduler.clockOf(owner);
  const statements = new Map<string, string>();
  let commits = 0n;
  let awayUntil = 0;
  let isCalm = false;
  let leases = new Map<string, Lease>();

  const query = (text: string, values: Values): unknown[] => {
    const compiled = statements.get(text) ?? text.replaceAll(/\$(\d+)/g, '?$1');
    statements.set(text, compiled);
    return file.query(compiled).all(...(values as SqlValue[]));
  };

  const assign = ([storeId = 1n, most = 0]: Values): bigint => {
    const [store] = query('SELECT last_sequence AS last FROM stores WHERE id = $1', [storeId]) as { last: bigint }[];
    const pending = query(
      'SELECT id FROM events WHERE store_id = $1 AND sequence IS NULL ORDER BY position LIMIT $2',
      [storeId, most],
    ) as { id: string }[];
    let last = store?.last ?? 0n;
    for (const { id } of pending) query('UPDATE events SET sequence = $1 WHERE id = $2', [(last += 1n), id]);
    if (pending.length > 0) {
      query('UPDATE stores SET last_sequence = $2, sequenced_in = $3 WHERE id = $1', [storeId, last, commits + 1n]);
    }
    return BigInt(pending.length);
  };

  const changes = ([mark]: Values) => {
    const since = /^\d+$/.test(String(mark)) ? BigInt(String(mark)) : commits;
    const stores = query('SELECT id FROM stores WHERE sequenced_in > $1', [since]) as { id: bigint }[];
    const told = stores.length === 0 ? null : stores.map(({ id }) => id).join(' ');
    return { now: BigInt(clock()), mark: String(commits), keys: null, stores: told, instances: 0n };
  };

  const run = (text: string, values: Values): unknown[] => {
    if (text.includes('assign_sequences(')) return [{ assigned: assign(values) }];
    if (text.includes('pg_current_snapshot()')) return [changes(values)];
    return query(text, values);
  };

  const readLeases = (): Lease[] => [
    ...(query('SELECT name, holder, until FROM leases', []) as Lease[]),
    ...(query(
      'SELECT id AS name, lease_holder AS holder, leased_until AS until FROM webhooks WHERE lease_holder IS NOT NULL',
      [],
    ) as Lease[]),
  ];

  /** Nobody takes what another still has, by the clock of the server. */
  const checkLeases = (): void => {
    const after = new Map(readLeases().map((lease) => [lease.name, { ...lease, until: Number(lease.until) }]));
    for (const [name, { holder, until }] of leases) {
      const taker = after.get(name);
      const isTaken = taker !== undefined && taker.holder !== holder && until > clock() + toleranceMs;
      expect(!isTaken, `${taker?.holder} has taken "${name}" ${until - clock()} ms before ${holder} has lost it`);
    }
    leases = after;
  };

  const commit = (): void => {
    file.run('COMMIT');
    commits += 1n;
    checkLeases();
  };

  const isLost = (): boolean => scheduler.now() < awayUntil || (!isCalm && chance(LOST));

  /** Answers when the answer arrives, if it does. */
  const ask = <Result>(what: string, serve: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      const lose = (fault: string): void => {
        count(fault);
        scheduler.after(LOST_MS, 'no answer', () => reject(new Error(`${fault} (${SIMULATED})`)));
      };
      const arrive = async (): Promise<void> => {
        if (isLost()) return lose('question lost');
        const [result] = await Promise.allSettled([serve()]);
        if (isLost()) return lose('reply lost');
        const take = () => (result.status === 'fulfilled' ? resolve(result.value) : reject(result.reason));
        scheduler.after(latencyMs(), 'a reply', take);
      };
      scheduler.after(latencyMs(), what, () => void arrive());
    });

  const differing = {
    lockRows: '',
    mergesParts: true,
    writer: 0n,
    tryLock: async () => true,
    writeCounters: () => undefined,
    pause: () => undefined,
  } as const;

  const nextIds = (kind: string, length: number): bigint[] => {
    const sql = `INSERT INTO ids (kind, highest) VALUES ($1, $2)
      ON CONFLICT (kind) DO UPDATE SET highest = ids.highest + excluded.highest RETURNING highest`;
    const [row] = query(sql, [kind, length]) as { highest: bigint }[];
    return Array.from({ length }, (_, index) => (row?.highest ?? 0n) - BigInt(length - 1 - index));
  };

  const writing = (effects: (() => void)[]): Sql => ({
    ...differing,
    isReadOnly: false,
    one: async <Row>(text: string, values: Values) => run(text, values)[0] as Row | undefined,
    all: async <Row>(text: string, values: Values) => run(text, values) as Row[],
    run: async (text, values) => void run(text, values),
    add: async ({ add, key }, by) => void run(add, [...key, by]),
    total: async ({ read, key }) => (run(read, key)[0] as { total: bigint } | undefined)?.total,
    afterCommit: (effect) => void effects.push(effect),
    nextId: async (kind) => nextIds(kind, 1)[0] ?? 0n,
    nextIds: async (kind, length) => nextIds(kind, length),
  });

  const refuse = (): never => {
    throw new Error('nothing is written outside a transaction');
  };
  const reading: Sql = {
    ...differing,
    isReadOnly: true,
    one: async <Row>(text: string, values: Values) =>
      (await ask('a question', async () => run(text, values)))[0] as Row | undefined,
    all: async <Row>(text: string, values: Values) =>
      (await ask('a question', async () => run(text, values))) as Row[],
    run: async () => refuse(),
    add: async () => refuse(),
    total: async () => refuse(),
    afterCommit: refuse,
    nextId: async () => refuse(),
    nextIds: async () => refuse(),
  };

  return {
    file,
    clock,
    calm: (): void => void (isCalm = true),
    goAway: (ms: number): void => void (awayUntil = scheduler.now() + ms),

    /** A way to it for one instance. */
    connect: <Reads, Repositories extends Reads>(
      bind: Bind<Repositories>,
      by: Owner,
    ): PostgresDatabase<Reads, Repositories> => {
      const transact = async <Result>(call: Call, body: (given: Repositories) => unknown): Promise<Result> => {
        const effects: (() => void)[] = [];
        const result = await ask('a transaction', async () => {
          file.run('BEGIN');
          try {
            const value = (await body(bind(writing(effects), call))) as Result;
            if (!isCalm && chance(LOST / 2)) throw new Error(`the connection was cut (${SIMULATED})`);
            commit();
            return value;
          } catch (error) {
            file.run('ROLLBACK');
            throw error;
          }
        });
        for (const effect of effects) effect();
        return result;
      };
      return {
        read: (storeId) => bind(reading, { ...SYSTEM_CALL, storeId }),
        write: transact,
        writeForReaders: transact,
        waiting: () => 0,
        waitedMs: () => 0,
        canWrite: () => true,
        close: async () => undefined,
      };
    },
  };
};

export type Server = ReturnType<typeof createServer>;
