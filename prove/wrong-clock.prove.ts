import { afterAll, describe, expect } from 'bun:test';
import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLibrary } from '../bench/slow-sync.ts';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { readTogether } from '../test/database.ts';
import { createPostgresDatabase, POSTGRES_SERVER } from '../test/postgres-database.ts';
import { createWorkbench, type Program } from '../test/program.ts';
import { query } from '../test/servers/databases.ts';
import { waitFor } from '../test/wait-for.ts';
import { LONG, proof } from './proof.ts';

const bench = createWorkbench();
const drops: (() => Promise<void>)[] = [];
afterAll(async () => {
  await bench.clear();
  await Promise.all(drops.map((drop) => drop()));
});

const library = await buildLibrary(bench.directory(), join(import.meta.dir, 'moved-clock.c'));

const MINUTE_S = 61;
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const SHIFTS_DAYS = [1, -1, 410, 2000];
const ENGINES = POSTGRES_SERVER ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const);
type Engine = (typeof ENGINES)[number];
const PETS = 5;
/**
 * How long the proof waits for due jobs to run, in ms. On a slow machine, the proof may miss a wrong deletion, but it
 * never reports a deletion that did not happen.
 */
const JOBS_RUN_MS = 250;

const KEPT = {
  events: 'SELECT store_id, sequence, id FROM events',
  audit: "SELECT id FROM events WHERE type LIKE 'key.%' OR type LIKE 'webhook.%'",
  responses: 'SELECT key_id, idempotency_key, body FROM idempotency',
  usage: 'SELECT key_id, hour, status FROM usage',
  deliveries: "SELECT id FROM deliveries WHERE state = 'pending'",
  webhooks: "SELECT id FROM webhooks WHERE state = 'enabled'",
};

type Logged = { job: string; count: number };
type Kept = Record<keyof typeof KEPT, readonly unknown[]>;

const lostOf = (before: Kept, after: Kept): string[] =>
  Object.entries(before).flatMap(([kind, rows]) => {
    const left = new Set(after[kind as keyof Kept].map((row) => JSON.stringify(row)));
    const lost = rows.filter((row) => !left.has(JSON.stringify(row))).length;
    return lost === 0 ? [] : [`${lost} of ${rows.length} ${kind}`];
  });

/**
 * The service reads PostgreSQL's clock. The proof replaces PostgreSQL's clock function with a function of the same
 * name. The replacement adds two numbers to the real time. Both numbers are in the file `moves`, in seconds.
 */
const openPostgres = async (moves: string) => {
  const { url, drop } = await createPostgresDatabase('production');
  drops.push(drop);
  const text = `pg_catalog.pg_read_file('${moves}')`;
  await query(url, 'CREATE SCHEMA moved');
  await query(
    url,
    `CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
       SELECT pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs =>
         split_part(${text}, ' ', 1)::float8 + split_part(${text}, ' ', 2)::float8) $$`,
  );
  await query(url, `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET search_path = moved, pg_catalog, public`);
  return url;
};

const openShop = async (engine: Engine, environment: Record<string, string> = {}) => {
  const directory = bench.directory();
  const file = join(directory, 'moves');
  const moves = { set: 0, passed: 0 };
  let program: Program;
  let origin = '';

  const move = (by: Partial<typeof moves>): void => {
    Object.assign(moves, by);
    writeFileSync(`${file}.new`, `${moves.set} ${moves.passed}\n`);
    renameSync(`${file}.new`, file);
  };
  move({});
  chmodSync(directory, 0o755);
  const place = engine === 'sqlite' ? join(directory, 'data', 'petstore.db') : await openPostgres(file);

  const start = async (): Promise<void> => {
    program = bench.start({
      directory,
      environment: {
        ...environment,
        PETSTORE_ADMIN_KEY: ADMIN_KEY,
        PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true',
        LD_PRELOAD: library as string,
        MOVED_CLOCK: file,
        ...(engine === 'sqlite' ? {} : { DATABASE_URL: place }),
      },
    });
    origin = await program.origin();
  };
  const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(`${origin}/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const stop = async () => {
    program.signal('SIGTERM');
    return (await program.ended()).exitCode;
  };

  await start();
  return {
    send,
    stop,
    look: (): Promise<Kept> => readTogether(place, KEPT),
    logged: (event: string): Logged[] =>
      program.written.out
        .split('\n')
        .flatMap((line) => (line.includes(`"event":"${event}"`) ? [JSON.parse(line)] : [])),
    restart: async () => {
      expect(await stop()).toBe(0);
      await start();
    },
    setClock: (days: number) => move({ set: days * DAY_S }),

    /**
     * Lets this many seconds pass and then sends a request. The request wakes the event loop, which then runs the due
     * timers.
     */
    async pass(seconds: number): Promise<void> {
      if (LONG && seconds < HOUR_S) await Bun.sleep(seconds * 1000);
      else move({ passed: moves.passed + seconds });
      expect((await send('GET', '/pets')).status).toBe(200);
      await Bun.sleep(JOBS_RUN_MS);
    },
  };
};

type Shop = Awaited<ReturnType<typeof openShop>>;

const createPets = async ({ send }: Pick<Shop, 'send'>) => {
  const answers = [];
  for (let index = 0; index < PETS; index += 1) {
    const answer = await send('POST', '/pets', { name: 'Rex', categoryId: 1 }, { 'Idempotency-Key': `pet-${index}` });
    expect(answer.status).toBe(201);
    const { id } = (await answer.json()) as { id: number };
    answers.push({ id, isReplay: answer.headers.get('idempotent-replayed') === 'true' });
  }
  return answers;
};

const startShop = async (engine: Engine, environment?: Record<string, string>) => {
  const shop = await openShop(engine, environment);
  await shop.pass(0);
  await shop.pass(23 * HOUR_S);
  const made = [
    await shop.send('POST', '/webhooks', { url: 'http://127.0.0.1:1/', events: ['pet.created'] }),
    await shop.send('POST', '/keys', { name: 'till', plan: 'free' }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  const pets = await createPets(shop);
  await shop.pass(2 * HOUR_S);
  const isWhole = ({ deliveries, usage }: Kept) => deliveries.length === PETS && usage.length > 2;
  const kept = await waitFor('deliveries and usage are stored', shop.look, isWhole);
  const runs = () => new Set(shop.logged('rows_deleted').map(({ job }) => job)).size;
  await waitFor('every deletion job has run', runs, (jobs) => jobs === 3);
  return { ...shop, kept, ids: pets.map(({ id }) => id) };
};

const spendMinutes = async (engine: Engine, days: number) => {
  const shop = await startShop(engine);
  const lost = new Set<string>();
  const again: Awaited<ReturnType<typeof createPets>> = [];
  for (const clockDays of [days, 0]) {
    for (const isRestarted of [false, true]) {
      if (isRestarted) await shop.restart();
      shop.setClock(clockDays);
      await shop.pass(MINUTE_S);
      again.push(...(await createPets(shop)));
      for (const rows of lostOf(shop.kept, await shop.look())) lost.add(rows);
    }
  }
  const exitCode = await shop.stop();
  const twice = again.filter(({ id, isReplay }) => !isReplay || !shop.ids.includes(id)).length;
  const name = `${engine}, ${days > 0 ? '+' : ''}${days} days`;
  return {
    name,
    rows: Object.values(shop.kept).flat().length,
    replays: again.length,
    exitCode,
    lost: [...lost],
    twice,
  };
};

describe.skipIf(!library)('wrong clock', () => {
  proof(
    'a clock wrong by ±1 day, 410 days or 2,000 days, for a minute and across a restart, deletes nothing and repeats nothing',
    async ({ figure }) => {
      const cases = ENGINES.flatMap((engine) => SHIFTS_DAYS.map((days) => ({ engine, days })));
      const tried = cases.filter(({ engine, days }) => LONG || engine === 'sqlite' || days === 1);
      const outcomes = await Promise.all(tried.map(({ engine, days }) => spendMinutes(engine, days)));
      for (const { name, rows, lost, replays, twice } of outcomes) {
        figure(`${name}: ${lost.join(', ') || `0 of ${rows} rows`} lost, ${twice} of ${replays} requests run twice`);
      }
      expect(outcomes.map(({ exitCode, lost, twice }) => ({ exitCode, lost, twice }))).toEqual(
        tried.map(() => ({ exitCode: 0, lost: [], twice: 0 })),
      );
    },
  );

  proof(
    'once the clock has been right for an hour, old rows are deleted and every run is logged',
    async ({ figure }) => {
      const shop = await startShop('sqlite', { PETSTORE_EVENT_DAYS: '8' });
      const countOf = (job: string): number =>
        shop.logged('rows_deleted').reduce((sum, line) => sum + (line.job === job ? line.count : 0), 0);
      for (const days of [1, 0]) {
        shop.setClock(days);
        await waitFor('the jump is logged', () => shop.logged('clock_jumped').length === 2 - days);
      }
      await shop.pass(DAY_S);
      await waitFor('stored responses are deleted', () => countOf('forget-answers') === PETS);

      // The service stops deleting if the clock is more than 7 days ahead of the newest usage record, not counting
      // records from the last day.
      await shop.pass(8 * DAY_S);
      await waitFor('deletion stops', () => shop.logged('deletion_stopped').length === 1);
      await shop.pass(MINUTE_S);
      expect([shop.logged('deletion_stopped').length, countOf('forget-events')]).toEqual([1, 0]);
      await shop.pass(DAY_S);
      await waitFor('deletion resumes', () => shop.logged('deletion_resumed').length === 1);
      const events = shop.kept.events.length + shop.kept.deliveries.length;
      await waitFor('events and deliveries are deleted', () => countOf('forget-events') === events);
      figure(
        `${PETS} responses deleted after a day; ${events} events and deliveries after 8 days, once the clock was trusted`,
      );
      expect(await shop.stop()).toBe(0);
    },
  );
});
