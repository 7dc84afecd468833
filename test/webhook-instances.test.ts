import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { composeWebhooks } from '../src/compose/jobs.ts';
import { createSend } from '../src/delivery/send.ts';
import { createMetrics } from '../src/kernel/metrics.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../src/kernel/operation.ts';
import { createLog } from '../src/ops/log.ts';
import { createLocalKeyChanges } from '../src/resources/keys/changes.ts';
import { CLAIM_MS } from '../src/resources/webhooks/webhooks.repository.ts';
import { createLocalArrivals } from '../src/streaming/arrivals.ts';
import { openTestPostgres, type TestDatabase } from './database.ts';
import { PATIENT_MS } from './patience.ts';
import { POSTGRES_SERVER } from './postgres-database.ts';
import { insertWebhookKey, WEBHOOK_KEY } from './webhook-key.ts';
import { hang, type Receiver, startReceiver } from './webhook-receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe.skipIf(!POSTGRES_SERVER)('instances that share a database', () => {
  let data: TestDatabase;
  let receiver: Receiver;
  let instances: ReturnType<typeof composeWebhooks>[];
  beforeEach(async () => {
    data = await openTestPostgres();
    receiver = startReceiver(data.clock);
    receiver.secrets.set('/hook', SECRET);
    instances = [];
    await data.database.write(SYSTEM_CALL, async ({ stores, keys, webhooks, now }) => {
      await stores.open(FIRST_STORE);
      await insertWebhookKey({ keys });
      const url = receiver.url('/hook');
      const fields = { url, events: ['pet.created' as const], enabled: true, disabledReason: null, createdAt: now() };
      await webhooks.insert({ id: 'wh_1', keyId: WEBHOOK_KEY.id, isOperators: false, ...fields }, SECRET);
    });
  });
  afterEach(async () => {
    await receiver.down();
    for (const instance of instances) await instance.stop();
    await data.close();
  });

  const startInstance = (isLeader = true) => {
    const { clock, database } = data;
    const instance = composeWebhooks({
      database,
      send: createSend({ allowPrivate: true, timeoutMs: PATIENT_MS }),
      clock,
      trustedNow: clock,
      arrivals: createLocalArrivals(),
      keyChanges: createLocalKeyChanges(),
      log: createLog('silent', async () => undefined, clock),
      metrics: createMetrics(),
      isLeader: () => isLeader,
      random: () => 0.5,
    });
    instances.push(instance);
    return instance;
  };

  const happen = async (count: number) => {
    await data.database.write(SYSTEM_CALL, async ({ events }) => {
      for (let petId = 1n; petId <= BigInt(count); petId++) {
        await events.append({ type: 'pet.created', object: { id: Number(petId) }, petId });
      }
    });
    await data.database.read(FIRST_STORE).events.range();
  };

  test('send each event only once, even while each believes that it leads', async () => {
    const several = [startInstance(), startInstance(), startInstance()];
    await happen(60);
    for (const { wake } of several) wake();
    const arrived = await receiver.until('/hook', 60);
    for (const instance of several) await instance.stop();
    expect(new Set(arrived.map(({ id }) => id)).size).toBe(60);
    expect(receiver.arrived).toHaveLength(60);
  });

  test('send nothing unless they lead', async () => {
    const [follower, leader] = [startInstance(false), startInstance()];
    receiver.respond(hang);
    await happen(1);
    follower.wake();
    await follower.stop();
    expect(receiver.arrived).toEqual([]);
    leader.wake();
    await receiver.until('/hook', 1);
  });

  test('take over the deliveries of a dead instance as soon as its claims expire', async () => {
    const [gone, other] = [startInstance(), startInstance()];
    receiver.respond(hang);
    await happen(1);
    gone.wake();
    await receiver.until('/hook', 1);

    data.clock.advance(CLAIM_MS - 1);
    other.wake();
    await other.stop();
    expect(receiver.arrived).toHaveLength(1);

    data.clock.advance(1);
    startInstance().wake();
    const [first, second] = await receiver.until('/hook', 2);
    expect(second?.id).toBe(first?.id as string);
  });

  test('take over immediately from an instance that stopped cleanly', async () => {
    const [first, second] = [startInstance(), startInstance()];
    receiver.respond(hang);
    await happen(1);
    first.wake();
    await receiver.until('/hook', 1);
    await first.stop();
    second.wake();
    await receiver.until('/hook', 2);
  });
});
