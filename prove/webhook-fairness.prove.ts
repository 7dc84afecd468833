import { afterEach, beforeEach, expect } from 'bun:test';
import { waitFor } from '../test/wait-for.ts';
import { startWebhookBench, type WebhookBench } from '../test/webhook-bench.ts';
import { fine, hang, trickle } from '../test/webhook-receiver.ts';
import { proof } from './proof.ts';

const WITHIN_MS = 1000;
const SCOPES = ['pets:read', 'pets:write', 'webhooks:write', 'events:read'];

let bench: WebhookBench;
beforeEach(async () => {
  bench = await startWebhookBench();
});
afterEach(() => bench.stop());

const inStore = (storeId: number) => bench.service.issueKey({ storeId, scopes: SCOPES });
const range = (length: number) => Array.from({ length }, (_, index) => index);
const arrivedAt = (path: string, count: number) =>
  waitFor(
    `${count} deliveries at ${path}`,
    () => bench.receiver.at(path),
    ({ length }) => length >= count,
  );

proof('a healthy endpoint gets its events within a second, while forty others never respond', async ({ time }) => {
  const dead = await Promise.all(range(40).map(() => bench.add()));
  const healthy = await bench.add();
  bench.receiver.respond(({ path }) => (path === healthy.path ? fine() : hang()));
  const sentAt = new Map<number, number>();
  for (let count = 0; count < 10; count++) {
    const at = performance.now();
    sentAt.set(await bench.createPet(), at);
  }
  const arrived = await arrivedAt(healthy.path, 10);
  time(
    'slowest of 10 deliveries:',
    Math.max(...arrived.map(({ petId, atMs }) => atMs - (sentAt.get(petId) ?? 0))),
    WITHIN_MS,
  );
  for (const { path } of dead) await arrivedAt(path, 1);
});

proof(
  'an event in one store is sent within a second, while two hundred endpoints of other stores hang or trickle',
  async ({ time }) => {
    const [bad, worse, good] = [await inStore(73), await inStore(74), await inStore(75)];
    const dead = await Promise.all([bad, worse].flatMap((key) => range(100).map(() => bench.add({}, key))));
    const trickling = new Set(dead.filter((_, index) => index % 4 === 0).map(({ path }) => path));
    const healthy = await bench.add({}, good);
    bench.receiver.respond(({ path }) => {
      if (path === healthy.path) return fine();
      return trickling.has(path) ? trickle() : hang();
    });
    for (const key of [bad, worse]) await Promise.all(range(20).map(() => bench.createPet('unheard', key)));
    await waitFor('they hold as many attempts as allowed', () => bench.receiver.load.now >= 100);

    const delays: number[] = [];
    // Stops after 20 events, because the service sends at most 20 deliveries a second to one host.
    for (let count = 1; count <= 20; count++) {
      if (count === 2) bench.clock.advance(1000);
      if (count % 5 === 0) await bench.createPet('unheard', bad);
      const sentAt = performance.now();
      await bench.createPet('heard', good);
      const arrived = await arrivedAt(healthy.path, count);
      delays.push((arrived.at(-1)?.atMs ?? 0) - sentAt);
    }
    time('slowest of 20 deliveries:', Math.max(...delays), WITHIN_MS);
  },
);

proof(
  'a healthy endpoint gets 20 events within a second alongside a slow one, which has at most eight in progress',
  async ({ time }) => {
    const [slow, healthy] = [await bench.add(), await bench.add()];
    const held: (() => void)[] = [];
    bench.receiver.respond(async ({ path }) => {
      if (path === slow.path) await new Promise<void>((resolve) => held.push(resolve));
      return fine();
    });
    const startedAt = performance.now();
    await Promise.all(range(20).map(() => bench.createPet()));
    const arrived = await arrivedAt(healthy.path, 20);
    time('slowest of 20 deliveries:', Math.max(...arrived.map(({ atMs }) => atMs)) - startedAt, WITHIN_MS);
    expect(bench.receiver.at(slow.path).length).toBeLessThanOrEqual(8);
    for (const answer of held) answer();
  },
);
