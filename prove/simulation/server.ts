import { type Call, SYSTEM_CALL } from '../../src/kernel/operation.ts';
import type { Database } from '../../src/storage/database.ts';
import type { Sql } from '../../src/storage/sql.ts';
import { openServerRows, type ServerRows, type Term, type Values } from './server-rows.ts';
import { SIMULATED, type Simulation } from './simulation.ts';

/** Probability that a request or a response is lost while faults are injected. */
const LOST = 0.02;
/** How long it takes an instance to notice a lost message, in ms. */
const LOST_MS = 2000;

const watchLeader = ({ expect }: Simulation, { term }: ServerRows, clock: () => number, toleranceMs: number) => {
  let before: Term = { holder: null, until: 0 };
  return (): void => {
    const after = term();
    const leftMs = before.until - clock();
    const isKept = before.holder === null || after.holder === null || after.holder === before.holder;
    expect(
      isKept || leftMs <= toleranceMs,
      `${after.holder} leads ${leftMs} ms before the term of ${before.holder} ends`,
    );
    before = after;
  };
};

const refuse = (): never => {
  throw new Error('cannot write outside a transaction');
};

const SHARED = {
  lockRows: '',
  mergesParts: true,
  hasFts5: true,
  writer: 0n,
  isSoleWriter: false,
  noteKeyChange: () => undefined,
  writeCounters: () => undefined,
  pause: () => undefined,
} as const;

/** The statements of a transaction take no simulated time, because the whole transaction counts as one round trip. */
const writingOn = ({ run, nextIds }: ServerRows, effects: Set<() => void>): Sql => ({
  ...SHARED,
  isReadOnly: false,
  one: async <Row>(text: string, values: Values) => run(text, values)[0] as Row | undefined,
  all: async <Row>(text: string, values: Values) => run(text, values) as Row[],
  run: async (text, values) => void run(text, values),
  add: async ({ add, key }, by) => void run(add, [...key, by]),
  total: async ({ read, key }) => (run(read, key)[0] as { total: bigint } | undefined)?.total,
  afterCommit: (effect) => void effects.add(effect),
  nextId: async (kind, storeId) => nextIds(kind, storeId, 1)[0] ?? 0n,
  nextIds: async (kind, storeId, count) => nextIds(kind, storeId, count),
});

type Ask = <Result>(what: string, serve: () => Promise<Result>) => Promise<Result>;

const readingOn = ({ run }: ServerRows, ask: Ask): Sql => {
  const query = (text: string, values: Values) => ask('a question', async () => run(text, values));
  return {
    ...SHARED,
    isReadOnly: true,
    one: async <Row>(text: string, values: Values) => (await query(text, values))[0] as Row | undefined,
    all: async <Row>(text: string, values: Values) => (await query(text, values)) as Row[],
    run: async () => refuse(),
    add: async () => refuse(),
    total: async () => refuse(),
    afterCommit: refuse,
    nextId: async () => refuse(),
    nextIds: async () => refuse(),
  };
};

export const createServer = (simulation: Simulation, template: Buffer, toleranceMs: number) => {
  const { scheduler, chance, latencyMs, count } = simulation;
  const owner = scheduler.createOwner('server');
  const clock = (): number => scheduler.clockOf(owner);
  const rows = openServerRows(template, clock);
  const checkLeader = watchLeader(simulation, rows, clock, toleranceMs);
  let awayUntil = 0;
  let lost = LOST;

  const isLost = (): boolean => scheduler.now() < awayUntil || chance(lost);

  const ask: Ask = (what, serve) =>
    new Promise((resolve, reject) => {
      const lose = (fault: string): void => {
        count(fault);
        scheduler.after(LOST_MS, 'no answer', () => reject(new Error(`${fault} (${SIMULATED})`)));
      };
      const arrive = async (): Promise<void> => {
        if (isLost()) return lose('database request lost');
        const [result] = await Promise.allSettled([serve()]);
        if (isLost()) return lose('database reply lost');
        const take = () => (result.status === 'fulfilled' ? resolve(result.value) : reject(result.reason));
        scheduler.after(latencyMs(), 'a reply', take);
      };
      scheduler.after(latencyMs(), what, () => void arrive());
    });

  const runInTransaction = async <Result>(body: () => Promise<Result>): Promise<Result> => {
    rows.begin();
    try {
      const result = await body();
      if (chance(lost)) throw new Error(`the connection was cut (${SIMULATED})`);
      rows.commit();
      checkLeader();
      return result;
    } catch (error) {
      rows.rollback();
      throw error;
    }
  };

  const reading = readingOn(rows, ask);
  return {
    file: rows.file,
    clock,
    calm(): void {
      [lost, awayUntil] = [0, 0];
    },
    goAway(ms: number): void {
      awayUntil = scheduler.now() + ms;
    },

    connect<Reads, Repositories extends Reads>(
      bind: (sql: Sql, call: Call) => Repositories,
    ): Database<Reads, Repositories> {
      const write: Database<Reads, Repositories>['write'] = async (call, body) => {
        const effects = new Set<() => void>();
        const run = async () => body(bind(writingOn(rows, effects), call));
        const result = await ask('a transaction', () => runInTransaction(run));
        for (const effect of effects) effect();
        return result;
      };
      return {
        read: (storeId) => bind(reading, { ...SYSTEM_CALL, storeId }),
        write,
        backlog: { pending: 0 },
        waitedMs: () => 0,
        canWrite: () => true,
        close: async () => undefined,
      };
    },
  };
};
