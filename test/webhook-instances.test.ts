import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { composeWebhooks } from '../src/compose/jobs.ts';
import { createSend } from '../src/delivery/send.ts';
import { createMetrics } from '../src/kernel/metrics.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../src/kernel/operation.ts';
import { createLog } from '../src/ops/log.ts';
import { createLocalArrivals } from '../src/streaming/arrivals.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { PATIENT_MS } from './patience.ts';
import { insertWebhookKey, WEBHOOK_KEY } from './webhook-key.ts';
import { hang, type Receiver, startReceiver } from './webhook-receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let data: TestDatabase;
let receiver: Receiver;
let instances: ReturnType<typeof composeWebhooks>[];
beforeEach(async () => {
  data = openTestDatabase();
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

const startInstance = (holder: string) => {
  const { clock, database } = data;
  const log = createLog('silent', async () => undefined, clock);
  const send = createSend({ allowPrivate: true, timeoutMs: PATIENT_MS });
  const instance = composeWebhooks({
    database,
    send,
    clock,
    trustedNow: clock,
    arrivals: createLocalArrivals(),
    log,
    metrics: createMetrics(),
    holder,
    lease: async () => true,
    random: () => 0.5,
  });
  instances.push(instance);
  return instance;
};

const happen = (count: number) =>
  data.database.write(SYSTEM_CALL, async ({ events }) => {
    for (let petId = 1n; petId <= BigInt(count); petId++) {
      await events.append({ type: 'pet.created', object: { id: Number(petId) }, petId });
    }
  });

describe('instances that share a database', () => {
  test('send each event only once', async () => {
    const several = [startInstance('a'), startInstance('b'), startInstance('c')];
    await happen(60);
    for (const { wake } of several) wake();
    const arrived = await receiver.until('/hook', 60);
    for (const instance of several) await instance.stop();
    expect(new Set(arrived.map(({ id }) => id)).size).toBe(60);
    expect(receiver.arrived).toHaveLength(60);
  });

  test('take over the deliveries of a dead instance as soon as its lease expires', async () => {
    const [gone, other] = [startInstance('a'), startInstance('b')];
    receiver.respond(hang);
    await happen(1);
    gone.wake();
    await receiver.until('/hook', 1);

    data.clock.advance(29_999);
    other.wake();
    await other.stop();
    expect(receiver.arrived).toHaveLength(1);

    data.clock.advance(1);
    const third = startInstance('c');
    third.wake();
    const [first, second] = await receiver.until('/hook', 2);
    expect(second?.id).toBe(first?.id as string);
  });

  test('take over immediately from an instance that stopped cleanly', async () => {
    const [first, second] = [startInstance('a'), startInstance('b')];
    await happen(1);
    first.wake();
    await receiver.until('/hook', 1);
    await first.stop();
    await happen(1);
    second.wake();
    await receiver.until('/hook', 2);
  });
});
