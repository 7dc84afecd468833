import type { Instance, Instances } from '../test/instances.ts';
import { query } from '../test/servers/databases.ts';
import type { Postgres } from '../test/servers/postgres.ts';
import { startProxy } from '../test/servers/proxy.ts';
import { median } from './compare.ts';
import { answerAtMost, createPet, type Fleet, type ScaleSize, send, withFleet } from './fleet.ts';
import type { Answer } from './questions.ts';

/**
 * Number of instances that actually run. The figures for 50 instances are computed from measurements of these
 * instances.
 */
const FEW = 5;
const MANY = 50;
const WEBHOOKS = 2000;
/**
 * How long to wait before a measurement, in ms. During this wait, the instances close the connections that they need
 * only for startup.
 */
const SETTLE_MS = 8000;
/** Wait after the last request, in ms. Without it, the counts would miss the work after that request's commit. */
const AFTER_MS = 1500;
/**
 * Pause between two requests to a quiet store, in ms. Reserved ids expire during this pause, so each request has to
 * reserve new ids.
 */
const QUIET_MS = 1100;
/** Network delay in each direction, in ms. It is much longer than the processor time of a request. */
const DELAY_MS = 25;

type Counts = Record<'statements' | 'polls' | 'writes' | 'buffers' | 'ms' | 'seconds', number>;

/**
 * `writes` is the next transaction id. Only transactions that write increase it, because PostgreSQL assigns no id to
 * other transactions.
 */
const COUNTS = `SELECT sum(calls)::int AS statements,
    coalesce(sum(calls) FILTER (WHERE query LIKE '%FROM deployment%'), 0)::int AS polls,
    sum(shared_blks_hit + shared_blks_read)::int AS buffers, sum(total_exec_time) AS ms,
    (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::int) AS writes
  FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1)`;

const countDuring = async (postgres: Postgres, { url }: Instances, act: () => Promise<unknown>): Promise<Counts> => {
  const name = new URL(url).pathname.slice(1);
  const read = async (): Promise<Counts> => ({
    ...(await postgres.query(COUNTS, [name]))[0],
    seconds: performance.now() / 1000,
  });
  const before = await read();
  await act();
  const after = await read();
  const since = (what: keyof Counts) => after[what] - before[what];
  return {
    statements: since('statements'),
    polls: since('polls'),
    writes: since('writes'),
    buffers: since('buffers'),
    ms: since('ms'),
    seconds: since('seconds'),
  };
};

const perSecond = ({ statements, writes, seconds }: Counts) => ({
  statements: statements / seconds,
  writes: writes / seconds,
});

/** Counts the statements per request. Leaves out the polls and other statements that even an idle service sends. */
const countCosts = async (postgres: Postgres, fleet: Fleet, idle: Counts, requests: number) => {
  const idlePerSecond = (idle.statements - idle.polls) / idle.seconds;
  const perRequest = async (count: number, act: (turn: number) => Promise<unknown>): Promise<number> => {
    const { statements, polls, seconds } = await countDuring(postgres, fleet, async () => {
      for (let turn = 0; turn < count; turn += 1) await act(turn);
      await Bun.sleep(AFTER_MS);
    });
    return (statements - polls - idlePerSecond * seconds) / count;
  };
  const pets: { id: number }[] = [];
  await createPet(fleet);
  const create = await perRequest(requests, async () => pets.push(await createPet(fleet)));
  const once = await perRequest(requests, (turn) =>
    createPet(fleet, { 'Idempotency-Key': `key-${turn}-${crypto.randomUUID()}` }),
  );
  const order = await perRequest(requests, (turn) => send(fleet, '/v1/store/orders', { petId: pets[turn]?.id }));
  const [first] = fleet.instances as [Instance];
  const get = await perRequest(requests, (turn) => first.call('GET', `/v1/pets/${pets[turn]?.id}`, { key: fleet.key }));
  const countQuiet = () =>
    perRequest(Math.ceil(requests / 10), async () => {
      await createPet(fleet);
      await Bun.sleep(QUIET_MS);
    });
  return { create, once, order, get, countQuiet };
};

type Costs = Awaited<ReturnType<typeof countCosts>>;

const countIdle = async (postgres: Postgres, fleet: Fleet, seconds: number): Promise<Counts> => {
  await Bun.sleep(SETTLE_MS);
  return countDuring(postgres, fleet, () => Bun.sleep(1000 * seconds));
};

const addWebhooks = async (fleet: Fleet): Promise<void> => {
  await send(fleet, '/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['pet.created'] });
  await query(
    fleet.url,
    `INSERT INTO webhooks SELECT (jsonb_populate_record(webhook, jsonb_build_object('id', webhook.id || number))).*
     FROM webhooks webhook, generate_series(2, ${WEBHOOKS}) number`,
  );
};

/**
 * Measures one instance on the first PostgreSQL server and, at the same time, several instances on the second. The
 * results are accurate, because they are counts, which do not depend on how busy the machine is.
 */
export const askCounts = async (
  [ofOne, ofFew]: readonly [Postgres, Postgres],
  { idleSeconds, requests }: ScaleSize,
): Promise<Answer[]> => {
  const measure = <More>(postgres: Postgres, count: number, more: (fleet: Fleet, costs: Costs) => Promise<More>) =>
    withFleet(postgres, count, async (fleet) => {
      const idle = await countIdle(postgres, fleet, idleSeconds);
      const costs = await countCosts(postgres, fleet, idle, requests);
      return { idle, costs, more: await more(fleet, costs) };
    });
  const [one, few] = await Promise.all([
    measure(ofOne, 1, (_, { countQuiet }) => countQuiet()),
    measure(ofFew, FEW, async (fleet) => {
      await addWebhooks(fleet);
      return countIdle(ofFew, fleet, idleSeconds);
    }),
  ]);
  const [leader, all] = [perSecond(one.idle), perSecond(few.idle)];
  const other = (what: 'statements' | 'writes') => Math.max(0, (all[what] - leader[what]) / (FEW - 1));
  const many = (what: 'statements' | 'writes') => leader[what] + (MANY - 1) * other(what);
  const growth = (what: 'buffers' | 'ms') => few.more[what] / few.more.seconds / (few.idle[what] / few.idle.seconds);
  return [
    answerAtMost(
      'statements / writes a second, one idle instance, the leader',
      [2, 0.05],
      [leader.statements, leader.writes],
    ),
    answerAtMost(
      'the same, an idle instance that is not the leader',
      [2, 0.05],
      [other('statements'), other('writes')],
    ),
    answerAtMost(`the same, ${FEW} idle instances`, [2 * FEW, 0.05 * FEW], [all.statements, all.writes]),
    answerAtMost(`the same, ${MANY} idle instances (computed)`, [100, 2.5], [many('statements'), many('writes')]),
    answerAtMost(
      `database time while idle, ${WEBHOOKS} webhooks relative to none, ${FEW} instances`,
      [1.1],
      [growth('ms')],
      ` ×, buffers read ${growth('buffers').toFixed(2)} ×`,
    ),
    answerAtMost('statements per create', [3], [one.costs.create]),
    // The true value is 0. The limit is higher, because background statements may run during the measurement.
    answerAtMost(
      'statements per create for each additional instance',
      [0.1],
      [(few.costs.create - one.costs.create) / (FEW - 1)],
    ),
    answerAtMost('statements per create with key / per order', [5, 7], [one.costs.once, one.costs.order]),
    answerAtMost('statements per get', [], [one.costs.get]),
    answerAtMost('statements per create at one a second, with usage and limits saved each second', [], [one.more]),
  ];
};

/** Delays network traffic, so that the duration of a request shows how many round trips it makes. */
export const askRoundTrips = async (postgres: Postgres, { requests }: ScaleSize): Promise<Answer[]> => {
  const proxy = await startProxy(postgres.port);
  const databaseUrl = (url: string) => url.replace(`:${postgres.port}/`, `:${proxy.port}/`);
  const timed = async (fleet: Fleet) => {
    const sentAt = performance.now();
    await createPet(fleet);
    return Math.floor((performance.now() - sentAt) / (2 * DELAY_MS));
  };
  try {
    return await withFleet(
      postgres,
      1,
      async (fleet) => {
        proxy.delay(DELAY_MS);
        const caller = async () => {
          const trips: number[] = [];
          for (let turn = 0; turn < requests / 8; turn += 1) trips.push(await timed(fleet));
          return trips;
        };
        // An instance has more than four write connections, so none of the four callers waits for a connection.
        const callAll = async () => (await Promise.all([caller(), caller(), caller(), caller()])).flat();
        // The first round only opens the connections and is not counted.
        await callAll();
        const busy = await callAll();
        const quiet: number[] = [];
        for (let turn = 0; turn < requests / 10; turn += 1) {
          await Bun.sleep(QUIET_MS);
          quiet.push(await timed(fleet));
        }
        const question = 'round trips before a create is answered, busy store / quiet store, medians';
        const note = `, at most ${Math.max(...busy)} / ${Math.max(...quiet)}`;
        return [answerAtMost(question, [2, 2], [median(busy), median(quiet)], note)];
      },
      { databaseUrl },
    );
  } finally {
    await proxy.stop();
  }
};
