import { Database } from 'bun:sqlite';
import { afterAll, expect } from 'bun:test';
import { join } from 'node:path';
import { createWorkbench, type Program } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { fine, hang, type Receiver, refuse, startReceiver } from '../test/webhook-receiver.ts';
import { LONG, proof } from './proof.ts';

const bench = createWorkbench();
const receivers: Receiver[] = [];
afterAll(async () => {
  await bench.clear();
  for (const receiver of receivers) await receiver.down();
});

const ADMIN_KEY = 'an-admin-key-of-the-operator';
const KILLS = LONG ? 100 : 20;
const GOES_ON_MS = 2500;
const ENDS_MS = 4000;
const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };

const openReceiver = (): Receiver => {
  const receiver = startReceiver();
  receivers.push(receiver);
  return receiver;
};

const spawnOn = (directory: string): Program => {
  const environment = { PETSTORE_ADMIN_KEY: ADMIN_KEY, PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' };
  return bench.start({ directory, environment });
};

type Running = { program: Program; origin: string };

const startOn = async (directory: string): Promise<Running> => {
  const program = spawnOn(directory);
  return { program, origin: await program.origin() };
};

const post = (origin: string, path: string, body: object) =>
  fetch(`${origin}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });

const addWebhook = async (origin: string, receiver: Receiver, path: string): Promise<string> => {
  const answer = await post(origin, '/webhooks', { url: receiver.url(path) });
  const { id, secret } = (await answer.json()) as { id: string; secret: string };
  receiver.secrets.set(path, secret);
  return id;
};

const addUntilKilled = async ({ program, origin }: Running, killAt: number): Promise<number[]> => {
  const acknowledged: number[] = [];
  const caller = async () => {
    for (;;) {
      const answer = await post(origin, '/pets', { name: 'Rex', categoryId: 1 }).catch(() => undefined);
      if (answer?.status === 503) continue;
      const body = (await answer?.json().catch(() => undefined)) as { id: number } | undefined;
      if (answer?.status !== 201 || !body) return;
      acknowledged.push(body.id);
      if (acknowledged.length === killAt) program.signal('SIGKILL');
    }
  };
  await Promise.all([caller(), caller()]);
  await program.ended();
  return acknowledged;
};

const end = async (program: Program, signal: NodeJS.Signals) => {
  program.signal(signal);
  return program.ended();
};

const endAllWaits = (directory: string) => {
  const file = new Database(join(directory, 'data', 'petstore.db'));
  file.run("UPDATE deliveries SET next_attempt_at = 0 WHERE state = 'pending' AND next_attempt_at IS NOT NULL");
  file.close();
};

type ListedEvent = { id: string; data: { object: { id: number } } };

const eventIdsOfPets = async (origin: string): Promise<Map<number, string>> => {
  const ids = new Map<number, string>();
  let next: string | undefined = `${origin}/v1/events?type=pet.created&limit=100`;
  while (next) {
    const answer: Response = await fetch(next, { headers });
    for (const event of (await answer.json()) as ListedEvent[]) ids.set(event.data.object.id, event.id);
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return ids;
};

proof(
  `every event for every acknowledged change is delivered at least once across ${KILLS} kills`,
  async ({ figure }) => {
    const directory = bench.directory();
    const receiver = openReceiver();
    const acknowledged: number[] = [];
    receiver.respond(async () => {
      const chance = Math.random();
      if (chance < 0.1) await Bun.sleep(20);
      return chance > 0.85 ? refuse(500) : fine();
    });

    for (let round = 0; round < KILLS; round++) {
      if (round === Math.round(KILLS * 0.4)) await receiver.down();
      if (round === Math.round(KILLS * 0.55)) await receiver.up();
      if (round % 4 === 3) {
        const program = spawnOn(directory);
        await Bun.sleep(Math.random() * 200);
        await end(program, 'SIGKILL');
        continue;
      }
      const running = await startOn(directory);
      if (round === 0) for (const path of ['/one', '/two']) await addWebhook(running.origin, receiver, path);
      acknowledged.push(...(await addUntilKilled(running, 1 + (round % 7))));
    }

    receiver.respond(fine);
    endAllWaits(directory);
    const { origin } = await startOn(directory);
    const ids = await eventIdsOfPets(origin);
    const missing = (path: string) => {
      const accepted = receiver.at(path).filter(({ isAccepted }) => isAccepted);
      const pets = new Set(accepted.map(({ petId }) => petId));
      return acknowledged.filter((id) => !pets.has(id)).length;
    };
    await waitFor(
      'all arrive',
      () => [missing('/one'), missing('/two')],
      (counts) => counts.every((count) => count === 0),
    );
    expect(acknowledged.length).toBeGreaterThan(KILLS);
    expect(receiver.arrived.filter(({ isValid }) => !isValid)).toEqual([]);
    expect(receiver.arrived.filter(({ petId, id }) => ids.get(petId) !== id)).toEqual([]);
    figure(`0 of ${acknowledged.length} events missing at two endpoints, ${receiver.arrived.length} attempts arrived`);
  },
);

proof('a process that was killed during delivery attempts retries them soon after its restart', async ({ time }) => {
  const directory = bench.directory();
  const receiver = openReceiver();
  receiver.respond(hang);
  const first = await startOn(directory);
  await addWebhook(first.origin, receiver, '/hook');
  await post(first.origin, '/pets', { name: 'Rex', categoryId: 1 });
  await waitFor('the attempt arrives', () => receiver.at('/hook').length === 1);
  await end(first.program, 'SIGKILL');

  receiver.respond(fine);
  await startOn(directory);
  const startedAt = performance.now();
  const [before, after] = await waitFor(
    'the next attempt arrives',
    () => receiver.at('/hook'),
    ({ length }) => length === 2,
  );
  time('attempted again after', performance.now() - startedAt, GOES_ON_MS);
  expect(after?.id).toBe(before?.id as string);
  expect([before?.isValid, after?.isValid]).toEqual([true, true]);
});

proof('a process stops within a few seconds even if a receiver never responds', async ({ time }) => {
  const receiver = openReceiver();
  receiver.respond(hang);
  const { program, origin } = await startOn(bench.directory());
  await addWebhook(origin, receiver, '/hook');
  await post(origin, '/pets', { name: 'Rex', categoryId: 1 });
  await waitFor('the attempt arrives', () => receiver.at('/hook').length === 1);
  const startedAt = performance.now();
  expect((await end(program, 'SIGTERM')).exitCode).toBe(0);
  time('ended after', performance.now() - startedAt, ENDS_MS);
});
