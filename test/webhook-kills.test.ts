import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { createWorkbench, type Program, until } from './program.ts';
import { fine, hang, type Receiver, refuse, startReceiver } from './webhook-receiver.ts';

const bench = createWorkbench();
const receivers: Receiver[] = [];
afterAll(async () => {
  await bench.clear();
  for (const receiver of receivers) await receiver.down();
});

const ADMIN_KEY = 'an-admin-key-of-the-operator';
const KILLS = 100;
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

const startOn = async (directory: string) => {
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

/** Adds animals, a few at a time, until the program is gone; returns those that were acknowledged. */
const addUntilKilled = async (origin: string): Promise<number[]> => {
  const acknowledged: number[] = [];
  const caller = async () => {
    for (;;) {
      const answer = await post(origin, '/pets', { name: 'Rex', categoryId: 1 }).catch(() => undefined);
      const body = (await answer?.json().catch(() => undefined)) as { id: number } | undefined;
      if (answer?.status !== 201 || !body) return;
      acknowledged.push(body.id);
      // So that what is to be delivered in the end stays within bounds.
      await Bun.sleep(10);
    }
  };
  await Promise.all([caller(), caller()]);
  return acknowledged;
};

const end = async (program: Program, signal: NodeJS.Signals) => {
  program.signal(signal);
  return program.ended();
};

/** Stands for the hours that pass until the last retries are due. */
const endAllWaits = (directory: string) => {
  const file = new Database(join(directory, 'data', 'petstore.db'));
  file.run("UPDATE deliveries SET next_attempt_at = 0 WHERE state = 'pending' AND next_attempt_at IS NOT NULL");
  file.close();
};

const eventIdsOfPets = async (origin: string): Promise<Map<number, string>> => {
  const ids = new Map<number, string>();
  let next: string | undefined = `${origin}/v1/events?type=pet.created&limit=100`;
  while (next) {
    const answer: Response = await fetch(next, { headers });
    for (const event of (await answer.json()) as any[]) ids.set(event.data.object.id, event.id);
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return ids;
};

describe('a process that sends webhooks', () => {
  test(`delivers every event of every acknowledged change at least once across ${KILLS} kills`, async () => {
    const directory = bench.directory();
    const receiver = openReceiver();
    const acknowledged: number[] = [];
    receiver.respond(async () => {
      const chance = Math.random();
      if (chance < 0.1) await Bun.sleep(20);
      return chance > 0.85 ? refuse(500) : fine();
    });

    for (let round = 0; round < KILLS; round++) {
      if (round === 40) await receiver.down();
      if (round === 55) receiver.up();
      if (round % 4 === 3) {
        // While it starts, or takes up what the one before has left.
        const program = spawnOn(directory);
        await Bun.sleep(Math.random() * 200);
        await end(program, 'SIGKILL');
        continue;
      }
      const { program, origin } = await startOn(directory);
      if (round === 0) for (const path of ['/one', '/two']) await addWebhook(origin, receiver, path);
      const adding = addUntilKilled(origin);
      await Bun.sleep(Math.random() * 60);
      await end(program, 'SIGKILL');
      acknowledged.push(...(await adding));
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
    await until('all arrive', () => (missing('/one') + missing('/two') === 0 ? true : undefined), 10_000).catch(() => {
      throw new Error(`missing: ${missing('/one')} and ${missing('/two')} of ${acknowledged.length}`);
    });
    expect(acknowledged.length).toBeGreaterThan(KILLS);
    expect(receiver.arrived.filter(({ isValid }) => !isValid)).toEqual([]);
    expect(receiver.arrived.filter(({ petId, id }) => ids.get(petId) !== id)).toEqual([]);
  }, 120_000);

  test('goes on at once after a kill with attempts under way', async () => {
    const directory = bench.directory();
    const receiver = openReceiver();
    receiver.respond(hang);
    const first = await startOn(directory);
    await addWebhook(first.origin, receiver, '/hook');
    await post(first.origin, '/pets', { name: 'Rex', categoryId: 1 });
    await receiver.until('/hook', 1);
    await end(first.program, 'SIGKILL');

    receiver.respond(fine);
    await startOn(directory);
    const arrived = await receiver.until('/hook', 2, 2500);
    expect(arrived[1]?.id).toBe(arrived[0]?.id as string);
    expect(arrived.every(({ isValid }) => isValid)).toBe(true);
  });

  test('ends within a few seconds when it is asked to, although a receiver never answers', async () => {
    const receiver = openReceiver();
    receiver.respond(hang);
    const { program, origin } = await startOn(bench.directory());
    await addWebhook(origin, receiver, '/hook');
    await post(origin, '/pets', { name: 'Rex', categoryId: 1 });
    await receiver.until('/hook', 1);
    const startedAt = performance.now();
    const { exitCode } = await end(program, 'SIGTERM');
    expect(exitCode).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(4000);
  });
});
