import { afterAll, describe, expect } from 'bun:test';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLibrary } from '../bench/slow-sync.ts';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { readTogether } from '../test/database.ts';
import { createWorkbench, type Program } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { LONG, proof } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const library = await buildLibrary(bench.directory(), join(import.meta.dir, 'moved-clock.c'));

const MINUTE_S = 61;
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const SHIFTS_DAYS = [1, -1, 410, 2000];
const PETS = 5;
/** Long enough for jobs that are due to run; a slower machine proves less and fails nothing. */
const JOBS_RUN_MS = 200;

const KEPT = {
  events: 'SELECT store_id, sequence, id FROM events',
  audit: "SELECT id FROM events WHERE type LIKE 'key.%' OR type LIKE 'webhook.%'",
  responses: 'SELECT key_id, idempotency_key, body FROM idempotency',
  usage: 'SELECT key_id, hour, status FROM usage',
  deliveries: 'SELECT id FROM deliveries',
  webhooks: "SELECT id FROM webhooks WHERE state = 'enabled'",
};

type Kept = Record<keyof typeof KEPT, readonly unknown[]>;

/** The rows that are gone, by kind. */
const lostOf = (before: Kept, after: Kept) =>
  Object.entries(before).flatMap(([kind, rows]) => {
    const left = new Set(after[kind as keyof Kept].map((row) => JSON.stringify(row)));
    const lost = rows.filter((row) => !left.has(JSON.stringify(row))).length;
    return lost === 0 ? [] : [`${lost} of ${rows.length} ${kind}`];
  });

/** A shop on a machine whose clocks can be moved while it runs and while it is stopped. */
const openShop = () => {
  const directory = bench.directory();
  const moves = { set: 0, passed: 0 };
  let program: Program;
  let origin = '';

  const move = (by: Partial<typeof moves>): void => {
    Object.assign(moves, by);
    writeFileSync(join(directory, 'moves.new'), `${moves.set} ${moves.passed}\n`);
    renameSync(join(directory, 'moves.new'), join(directory, 'moves'));
  };
  const start = async (): Promise<void> => {
    program = bench.start({
      directory,
      environment: {
        PETSTORE_ADMIN_KEY: ADMIN_KEY,
        PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true',
        LD_PRELOAD: library as string,
        MOVED_CLOCK: join(directory, 'moves'),
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
  const look = () => readTogether(join(directory, 'data', 'petstore.db'), KEPT);
  const stop = async () => {
    program.signal('SIGTERM');
    return program.ended();
  };

  move({});
  return {
    start,
    send,
    look,
    stop,
    logged: (event: string) => program.written.out.split('\n').filter((line) => line.includes(`"event":"${event}"`)),
    restart: async () => {
      await stop();
      await start();
    },
    setClock: (days: number) => move({ set: days * DAY_S }),

    /** Lets time pass, by both clocks. The request wakes the event loop, which finds its timers due. */
    async pass(seconds: number): Promise<void> {
      if (LONG && seconds < HOUR_S) await Bun.sleep(seconds * 1000);
      else move({ passed: moves.passed + seconds });
      expect((await send('GET', '/pets')).status).toBe(200);
      await Bun.sleep(JOBS_RUN_MS);
    },
  };
};

type Shop = ReturnType<typeof openShop>;

/** Sends the same creations each time: only the first time may create anything. */
const createPets = async ({ send }: Shop) => {
  const answers = [];
  for (let index = 0; index < PETS; index += 1) {
    const answer = await send('POST', '/pets', { name: 'Rex', categoryId: 1 }, { 'Idempotency-Key': `pet-${index}` });
    expect(answer.status).toBe(201);
    const { id } = (await answer.json()) as { id: number };
    answers.push({ id, isReplay: answer.headers.get('idempotent-replayed') === 'true' });
  }
  return answers;
};

/** Starts a shop and fills it. Its webhook fails at every attempt. */
const startShop = async () => {
  const shop = openShop();
  await shop.start();
  const made = [
    await shop.send('POST', '/webhooks', { url: 'http://127.0.0.1:1/', events: ['pet.created'] }),
    await shop.send('POST', '/keys', { name: 'till', plan: 'free' }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  const pets = await createPets(shop);
  const isFilled = ({ deliveries, usage }: Kept) => deliveries.length === PETS && usage.length > 0;
  const kept = await waitFor('deliveries and usage are stored', shop.look, isFilled);
  return { ...shop, ids: pets.map(({ id }) => id), kept };
};

/** One minute with the wrong clock, one more after a restart with it, one after it is right again, one after a restart. */
const spendMinutes = async (days: number) => {
  const shop = await startShop();
  const again: Awaited<ReturnType<typeof createPets>>[] = [];
  for (const clockDays of [days, 0]) {
    for (const isRestarted of [false, true]) {
      if (isRestarted) await shop.restart();
      shop.setClock(clockDays);
      await shop.pass(MINUTE_S);
      again.push(await createPets(shop));
    }
  }
  const after = await shop.look();
  const { exitCode } = await shop.stop();
  return {
    days,
    exitCode,
    lost: lostOf(shop.kept, after),
    twice: again.flat().filter(({ id, isReplay }) => !isReplay || !shop.ids.includes(id)).length,
    rows: Object.values(shop.kept).flat().length,
    replays: again.flat().length,
  };
};

describe.skipIf(!library)('a clock that is wrong', () => {
  proof(
    'by ±1 day, 410 days or 2,000 days, for a minute and across a restart, deletes nothing and repeats nothing',
    async ({ figure }) => {
      const outcomes = await Promise.all(SHIFTS_DAYS.map(spendMinutes));
      for (const { days, rows, lost, replays, twice } of outcomes) {
        const sign = days > 0 ? '+' : '';
        figure(
          `${sign}${days} days: lost ${lost.join(', ') || `0 of ${rows} rows`}; ${twice} of ${replays} done twice`,
        );
      }
      expect(outcomes.map(({ days, exitCode, lost, twice }) => ({ days, exitCode, lost, twice }))).toEqual(
        SHIFTS_DAYS.map((days) => ({ days, exitCode: 0, lost: [], twice: 0 })),
      );
    },
  );
});
