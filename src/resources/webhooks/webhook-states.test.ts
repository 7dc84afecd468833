import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { insertWebhookKey, WEBHOOK_KEY } from '../../../test/webhook-key.ts';
import { failure } from '../../../test/webhook-rows.ts';
import type { Repositories } from '../../compose/repositories.ts';
import { recordAttempt } from '../../delivery/attempt-delivery.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { AttemptResult } from './delivery.ts';
import { disableOrphanedWebhooks } from './disable-orphaned-webhooks.ts';
import type { Webhook } from './webhook.ts';

const FIVE_DAYS = 5 * 24 * 3_600_000;
const URL = 'https://shop.example/hooks';
const success: AttemptResult = { ...failure, isDelivered: true, responseStatus: 204 };

let opened: TestDatabase;
const write = <Result>(body: (repositories: Repositories) => Promise<Result>) =>
  opened.database.write(SYSTEM_CALL, body);
const webhook = async () => (await opened.database.read(1n).webhooks.find('wh_one')) as Webhook;
const disablings = async () => {
  const { events } = opened.database.read(1n);
  const page = { limit: 100, order: 'asc' as const, after: undefined };
  const all = await events.list({ type: 'webhook.disabled', withOperators: true }, page);
  return all.map(({ data }) => JSON.parse(data));
};

beforeEach(async () => {
  opened = openTestDatabase();
  await write(({ stores }) => stores.open(1n));
  await write(insertWebhookKey);
  await write(({ webhooks }) =>
    webhooks.insert(
      {
        id: 'wh_one',
        url: URL,
        events: ['pet.created'],
        enabled: true,
        disabledReason: null,
        createdAt: opened.clock(),
        keyId: WEBHOOK_KEY.id,
        isOperators: false,
      },
      'whsec_one',
    ),
  );
  await write(async ({ events }) => events.append({ type: 'pet.created', object: {}, petId: 7n }));
  await write(({ webhooks }) => webhooks.fanOut(100));
});
afterEach(() => opened.close());

const due = async () => {
  const queue = opened.database.read(1n).deliveryQueue;
  const [endpoint] = await queue.endpoints(opened.clock());
  const [delivery] = endpoint ? await queue.deliveries(endpoint, opened.clock(), 10) : [];
  return delivery;
};
const attempt = async (
  result: AttemptResult,
  { url = URL, meanwhile = async () => {}, isClockTrusted = true } = {},
) => {
  const delivery = await due();
  if (!delivery) throw new Error('nothing is due');
  await meanwhile();
  const options = { random: 0.5, isClockTrusted };
  await write((repositories) => recordAttempt(repositories, { webhookId: 'wh_one', url }, delivery, result, options));
  return opened.database.read(1n).webhooks.findDelivery('wh_one', delivery.id);
};
const change = (fields: Partial<Webhook>) =>
  write(async ({ webhooks }) => webhooks.update({ ...(await webhook()), ...fields }));

describe('a delivery', () => {
  test('that arrived is delivered, and not repeated', async () => {
    expect(await attempt(success)).toMatchObject({ state: 'delivered', attempt: 1, nextAttemptAt: null });
    expect((await webhook()).enabled).toBeTrue();
  });

  test('that failed is pending, and retried on schedule', async () => {
    const now = opened.clock();
    expect(await attempt(failure)).toMatchObject({ state: 'pending', attempt: 1, nextAttemptAt: now + 5000 });
    opened.clock.advance(5000);
    expect(await attempt(failure)).toMatchObject({ state: 'pending', attempt: 2, nextAttemptAt: now + 305_000 });
  });

  test('that failed while the webhook was disabled is failed, and not retried', async () => {
    const meanwhile = () => change({ enabled: false, disabledReason: 'switched_off' });
    expect(await attempt(failure, { meanwhile })).toMatchObject({ state: 'failed', attempt: 1, nextAttemptAt: null });
    expect((await webhook()).disabledReason).toBe('switched_off');
    expect(await disablings()).toEqual([]);
  });
});

describe('an endpoint', () => {
  test('that returns 410 is disabled, with an event', async () => {
    await attempt({ ...failure, isGone: true, responseStatus: 410 });
    expect(await webhook()).toMatchObject({ enabled: false, disabledReason: 'gone' });
    expect(await disablings()).toMatchObject([
      {
        object: { id: 'wh_one', enabled: false, disabledReason: 'gone' },
        previous: { enabled: true, disabledReason: null },
      },
    ]);
  });

  test('that returns 410 at a former URL of the webhook stays enabled', async () => {
    await attempt({ ...failure, isGone: true }, { url: 'https://old.example/' });
    expect((await webhook()).enabled).toBeTrue();
  });

  test('that has failed for just under five days stays enabled', async () => {
    await attempt(failure);
    opened.clock.advance(FIVE_DAYS - 1);
    await attempt(failure);
    expect((await webhook()).enabled).toBeTrue();
  });

  test('that has failed for five days is disabled', async () => {
    await attempt(failure);
    opened.clock.advance(FIVE_DAYS);
    await attempt(failure);
    expect(await webhook()).toMatchObject({ enabled: false, disabledReason: 'failing' });
  });

  test('that has failed for five days stays enabled while the clock is not trusted', async () => {
    await attempt(failure);
    opened.clock.advance(FIVE_DAYS);
    await attempt(failure, { isClockTrusted: false });
    expect((await webhook()).enabled).toBeTrue();
  });

  test('that succeeds once resets its failure time', async () => {
    await attempt(failure);
    opened.clock.advance(FIVE_DAYS - 1);
    await write(({ webhooks }) => webhooks.noteHealth('wh_one', true));
    opened.clock.advance(1);
    await attempt(failure);
    expect((await webhook()).enabled).toBeTrue();
  });
});

describe('a webhook whose key was revoked or has expired', () => {
  const disableOrphans = (keyless: () => Promise<{ storeId: bigint; webhookId: string }[]>) =>
    disableOrphanedWebhooks({
      clock: opened.clock,
      queue: { keyless },
      write: (storeId, body) => opened.database.write({ ...SYSTEM_CALL, storeId }, body),
    })();
  const found = async () => [
    { storeId: 1n, webhookId: 'wh_gone' },
    { storeId: 1n, webhookId: 'wh_one' },
  ];
  const end = (fields: object) => write(({ keys }) => keys.update({ ...WEBHOOK_KEY, ...fields }));

  test.each([{ revokedAt: 1 }, { expiresAt: 1 }])('is disabled, with an event: %j', async (fields) => {
    await end(fields);
    await disableOrphans(found);
    expect(await webhook()).toMatchObject({ enabled: false, disabledReason: 'key_ended' });
    expect(await disablings()).toMatchObject([{ object: { disabledReason: 'key_ended' } }]);
  });

  test('is disabled if the key does not exist', async () => {
    await change({ keyId: 'key_unknown' });
    await disableOrphans(found);
    expect((await webhook()).disabledReason).toBe('key_ended');
  });

  test('stays enabled if it got another key in the meantime', async () => {
    await disableOrphans(found);
    expect((await webhook()).enabled).toBeTrue();
  });

  test('is looked for among all keys at first, and then among those that ended within the hour before the last search', async () => {
    const asked: [number, number, string | undefined][] = [];
    let [found, hasFailed] = [0, false];
    const disable = disableOrphanedWebhooks({
      clock: opened.clock,
      queue: {
        keyless: async ({ from, to }, _, keyId) => {
          asked.push([from, to, keyId]);
          if (hasFailed) throw new Error('no database');
          return Array(found).fill({ storeId: 1n, webhookId: 'wh_none' });
        },
      },
      write: (storeId, body) => opened.database.write({ ...SYSTEM_CALL, storeId }, body),
    });
    const [start, hourMs] = [opened.clock(), 3_600_000];
    // After a full batch or a failure, some webhooks may remain, so the next search covers the same period again.
    found = 100;
    await disable();
    found = 99;
    await disable();
    hasFailed = true;
    opened.clock.advance(60_000);
    await expect(disable()).rejects.toThrow('no database');
    hasFailed = false;
    await disable('key_1');
    await disable();
    opened.clock.advance(-2 * hourMs);
    await disable();
    const later = start + 60_000;
    expect(asked).toEqual([
      [-hourMs, start, undefined],
      [-hourMs, start, undefined],
      [start - hourMs, later, undefined],
      [0, later, 'key_1'],
      [start - hourMs, later, undefined],
      [later - 3 * hourMs, later - 2 * hourMs, undefined],
    ]);
  });

  test('keeps its earlier reason if it was already disabled', async () => {
    await end({ revokedAt: 1 });
    await change({ enabled: false, disabledReason: 'switched_off' });
    await disableOrphans(found);
    expect((await webhook()).disabledReason).toBe('switched_off');
    expect(await disablings()).toEqual([]);
  });
});
