import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { type Instance, type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { POSTGRES_SERVER } from '../test/postgres-database.ts';
import { query } from '../test/servers/databases.ts';
import { type Redis, startRedis } from '../test/servers/redis.ts';
import { waitFor } from '../test/wait-for.ts';
import { type Receiver, startReceiver } from '../test/webhook-receiver.ts';
import { portOf, requestText, startLoad } from './fleet-load.ts';
import { proof } from './proof.ts';

const HOLD_SECONDS = 1;
const NUMBERED_MS = 6000;
/** Another instance can take over only when the killed leader's term of 30 s has ended. */
const FREED_MS = 33_000;
const DELIVERED_MS = 40_000;
const HELD = 10;

const pet = requestText('POST', '/v1/pets', { key: ADMIN_KEY, body: { name: 'Rex', categoryId: 1 } });

describe.skipIf(!POSTGRES_SERVER || lacks('Redis'))('an instance that is killed under load', () => {
  let redis: Redis;
  let receiver: Receiver;
  let running: Instances;
  let doomed: Instance;
  let others: Instance[];
  beforeAll(async () => {
    redis = await startRedis();
    receiver = startReceiver();
    const environment = {
      REDIS_URL: redis.url,
      PETSTORE_ORDER_HOLD_SECONDS: `${HOLD_SECONDS}`,
      PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true',
    };
    running = await startInstances({ count: 1, environment });
    doomed = running.instances[0] as Instance;
    // Leaves out pet events, because the load creates too many of them: the service sends at most 20 deliveries a
    // second to one host.
    const body = { url: receiver.url('/hook'), events: ['order.placed', 'order.expired'] };
    const hook = await doomed.call('POST', '/v1/webhooks', { body });
    receiver.secrets.set('/hook', hook.body.secret);
    const first = await doomed.call('POST', '/v1/pets', { body: { name: 'First', categoryId: 1 } });
    await doomed.call('POST', '/v1/store/orders', { body: { petId: first.body.id } });
    await receiver.until('/hook', 1);
    const work = 'SELECT 1 FROM deployment WHERE leader IS NOT NULL';
    await waitFor('it is the leader', async () => (await query(running.url, work)).length === 1);
    others = await Promise.all([running.start(), running.start()]);
  });
  afterAll(async () => {
    await running?.stop();
    await receiver?.down();
    await redis?.remove();
  });

  proof(
    'the other instances take over the work of a killed one: writes, order expiry, event numbers and webhooks',
    async ({ figure, time }) => {
      const pets = await Promise.all(
        Array.from({ length: HELD }, async () => {
          const added = await doomed.call('POST', '/v1/pets', { body: { name: 'Held', categoryId: 1 } });
          return added.body.id as number;
        }),
      );
      const load = startLoad({ ports: [doomed, ...others].map(portOf), callers: 9, pauseMs: 20, next: () => pet });
      await waitFor('the load runs', () => load.answers.length > 100);
      const orders = pets.map((petId) => doomed.call('POST', '/v1/store/orders', { body: { petId } }));
      expect((await Promise.all(orders)).map(({ status }) => status)).toEqual(Array(HELD).fill(201));
      doomed.program.signal('SIGKILL');
      const killedAt = performance.now();
      await doomed.program.ended();

      const held = 'SELECT 1 FROM pets WHERE id = ANY($1) AND held_by_order_id IS NOT NULL';
      await waitFor('the pets are free', async () => (await query(running.url, held, [pets])).length === 0);
      const [{ freed_ms: freedMs }] = await query(
        running.url,
        `SELECT max(p.updated_at - o.placed_at - $2)::int AS freed_ms FROM pets p JOIN orders o ON o.pet_id = p.id
       WHERE p.id = ANY($1) AND o.status = 'expired'`,
        [pets, HOLD_SECONDS * 1000],
      );
      const answers = await load.stop();
      const stoppedAt = performance.now();
      const acknowledged = answers
        .filter(({ status }) => status === 201)
        .map(({ message }) => JSON.parse(message?.body ?? '').id);
      const elsewhere = answers.filter(({ port }) => port !== portOf(doomed));

      const unnumbered = async () => (await query(running.url, 'SELECT 1 FROM events WHERE sequence IS NULL')).length;
      await waitFor('all events are numbered', unnumbered, (count) => count === 0);
      time('last event numbered after', performance.now() - stoppedAt, NUMBERED_MS);
      const events: { id: string; sequence: number; type: string; pet_id: number }[] = await query(
        running.url,
        'SELECT id, sequence::int, type, pet_id::int FROM events WHERE store_id = 1 ORDER BY sequence',
      );
      const created = events.filter(({ type }) => type === 'pet.created');
      const seen = events.filter(({ type }) => /^order\.(placed|expired)$/.test(type));
      const kept = await query(running.url, 'SELECT id::int FROM pets');
      const lost = new Set(acknowledged).difference(new Set(kept.map(({ id }) => id)));

      const accepted = () => new Set(receiver.arrived.filter(({ isAccepted }) => isAccepted).map(({ id }) => id));
      const undelivered = () => new Set(seen.map(({ id }) => id)).difference(accepted()).size;
      await waitFor('every event is delivered', undelivered, (count) => count === 0);
      time('events delivered after', performance.now() - killedAt, DELIVERED_MS);
      time('pets released late by', freedMs, FREED_MS);
      figure(`${lost.size} of ${acknowledged.length} acknowledged writes lost`);
      figure(`${receiver.arrived.length - accepted().size} of ${seen.length} events delivered twice`);
      expect(lost.size).toBe(0);
      expect(elsewhere.filter(({ status }) => status !== 201)).toEqual([]);
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
      expect(created.map(({ pet_id }) => pet_id).sort()).toEqual(kept.map(({ id }) => id).sort());
      expect(receiver.arrived.every(({ isValid }) => isValid)).toBe(true);
    },
  );
});
