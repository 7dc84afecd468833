import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Database } from '../database/database.ts';
import type { EventRepository } from '../events/events.repository.ts';
import type { EventLog, EventType } from '../kernel/event.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import type { StoreRepository } from '../stores/stores.repository.ts';
import type { AttemptResult } from './delivery.ts';
import type { Webhook } from './webhook.ts';
import {
  CLEARED_AT_ONCE,
  type DeliveryQueue,
  type DueEndpoint,
  type WebhookRepository,
} from './webhooks.repository.ts';

type Repositories = {
  webhooks: WebhookRepository;
  events: EventLog & EventRepository;
  deliveryQueue: DeliveryQueue;
  stores: Pick<StoreRepository, 'open'>;
};

/** What the suite needs of an engine: a database without webhooks, and a clock that the suite moves. */
export type WebhookRepositoryHarness = {
  database: Database<Repositories, Repositories>;
  clock: { (): number; advance(ms: number): void };
  close(): Promise<void>;
};

const SECRET = 'whsec_one';
const failure: AttemptResult = {
  isDelivered: false,
  isGone: false,
  responseStatus: 500,
  responseBody: 'sorry',
  durationMs: 12,
  retryAfterMs: undefined,
};

/** What any repository of webhooks must do, whatever engine keeps them. */
export const webhookRepositorySuite = (open: () => Promise<WebhookRepositoryHarness>): void => {
  let harness: WebhookRepositoryHarness;
  beforeEach(async () => {
    harness = await open();
    for (const storeId of [1n, 2n]) await write(({ stores }) => stores.open(storeId));
  });
  afterEach(() => harness.close());

  const write = <Result>(body: (repositories: Repositories) => Promise<Result>, storeId = 1n) =>
    harness.database.write({ ...SYSTEM_CALL, storeId }, body);
  const reads = (storeId = 1n) => harness.database.read(storeId).webhooks;
  const queue = () => harness.database.read(1n).deliveryQueue;

  const webhook = (fields: Partial<Webhook> = {}): Webhook => ({
    id: 'wh_one',
    url: 'https://example.org/ü?a=b',
    events: ['pet.created', 'pet.deleted'],
    enabled: true,
    disabledReason: null,
    createdAt: harness.clock(),
    ...fields,
  });
  const insert = (one: Webhook, storeId = 1n) => write(({ webhooks }) => webhooks.insert(one, SECRET), storeId);
  /** Whoever looks at the events has them numbered first, as a running instance has after each commit. */
  const number = (storeId = 1n) => harness.database.read(storeId).events.range();
  const append = async (type: EventType, petId = 7n, storeId = 1n) => {
    await write(async ({ events }) => events.append({ type, object: {}, petId }), storeId);
    await number(storeId);
  };
  const fanOut = (id = 'wh_one', most = 100) => write(({ webhooks }) => webhooks.fanOut(id, most));
  const log = (id = 'wh_one') => reads().listDeliveries(id, { limit: 100, order: 'asc', after: undefined });
  const due = async (most = 100) => {
    const [endpoint] = await queue().endpoints(harness.clock());
    return endpoint ? queue().deliveries(endpoint, harness.clock(), most) : [];
  };

  describe('the store of webhooks', () => {
    test('returns a webhook as it was inserted, and to its own store only', async () => {
      await insert(webhook());
      expect(await reads().find('wh_one')).toEqual(webhook());
      expect(await reads(2n).find('wh_one')).toBeUndefined();
      expect(await reads(2n).list({ limit: 9, order: 'asc', after: undefined })).toEqual([]);
    });

    test('keeps a change of everything that may change, of this webhook alone', async () => {
      await insert(webhook());
      await insert(webhook({ id: 'wh_two' }));
      await insert(webhook(), 2n);
      const changed = webhook({ url: 'https://example.org/', events: ['order.placed'], enabled: false });
      await write(({ webhooks }) => webhooks.update({ ...changed, disabledReason: 'gone' }));
      expect(await reads().find('wh_one')).toEqual({ ...changed, disabledReason: 'gone' });
      expect(await reads().find('wh_two')).toEqual(webhook({ id: 'wh_two' }));
      expect(await reads(2n).find('wh_one')).toEqual(webhook());
    });

    test('lists by time and then by id, behind any position, both ways', async () => {
      const times: [string, number][] = [
        ['wh_b', 5],
        ['wh_a', 5],
        ['wh_c', 4],
        ['wh_d', 6],
      ];
      for (const [id, createdAt] of times) await insert(webhook({ id, createdAt }));
      const ids = async (order: 'asc' | 'desc', after?: { createdAt: number; id: string }) =>
        (await reads().list({ limit: 3, order, after })).map(({ id }) => id);
      expect(await ids('asc')).toEqual(['wh_c', 'wh_a', 'wh_b']);
      expect(await ids('asc', { createdAt: 5, id: 'wh_a' })).toEqual(['wh_b', 'wh_d']);
      expect(await ids('desc')).toEqual(['wh_d', 'wh_b', 'wh_a']);
      expect(await ids('desc', { createdAt: 5, id: 'wh_b' })).toEqual(['wh_a', 'wh_c']);
    });

    test('removes a webhook with its deliveries, and those of no other', async () => {
      await insert(webhook());
      await insert(webhook({ id: 'wh_two' }));
      await append('pet.created');
      await fanOut();
      await fanOut('wh_two');
      await write(({ webhooks }) => webhooks.remove('wh_one'));
      expect(await reads().find('wh_one')).toBeUndefined();
      expect(await log()).toEqual([]);
      expect(await log('wh_two')).toHaveLength(1);
    });
  });

  describe('a webhook with more deliveries than one transaction clears', () => {
    const COUNT = CLEARED_AT_ONCE + 100;
    beforeEach(async () => {
      await insert(webhook());
      await insert(webhook({ id: 'wh_two' }));
      await write(async ({ events }) => {
        for (let count = 0; count < COUNT; count += 1) await events.append({ type: 'pet.created', object: {} });
      });
      await number();
      await fanOut('wh_one', COUNT);
    });
    const clear = () => write(({ webhooks }) => webhooks.clear('wh_one', CLEARED_AT_ONCE));
    const states = async () => {
      const all = await reads().listDeliveries('wh_one', { limit: 2 * COUNT, order: 'asc', after: undefined });
      const count = (wanted: string) => all.filter(({ state }) => state === wanted).length;
      return { pending: count('pending'), failed: count('failed') };
    };
    const left = async () => (await queue().uncleared(9)).map(({ webhookId }) => webhookId);

    test('gives them up bit by bit once it is switched off, and sends none', async () => {
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false, disabledReason: 'switched_off' })));
      expect(await states()).toEqual({ pending: 100, failed: CLEARED_AT_ONCE });
      expect(await due()).toEqual([]);
      expect(await left()).toEqual(['wh_one']);
      expect(await clear()).toBe(true);
      expect(await states()).toEqual({ pending: 0, failed: COUNT });
      expect(await left()).toEqual([]);
    });

    test('gives up as well what was not on its way yet', async () => {
      await write(async ({ events }) => {
        for (let count = 0; count < COUNT; count += 1) await events.append({ type: 'pet.deleted', object: {} });
      });
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false, disabledReason: 'switched_off' })));
      let rounds = 1;
      while (!(await clear())) rounds += 1;
      expect(rounds).toBeGreaterThan(1);
      expect(await states()).toEqual({ pending: 0, failed: 2 * COUNT });
    });

    test('is gone at once when it is removed, and they go bit by bit', async () => {
      await write(({ webhooks }) => webhooks.remove('wh_one'));
      expect(await reads().find('wh_one')).toBeUndefined();
      expect(await write(({ webhooks }) => webhooks.lock('wh_one'))).toBeUndefined();
      expect(await write(({ webhooks }) => webhooks.lockCount())).toBe(1);
      const listed = await reads().list({ limit: 9, order: 'asc', after: undefined });
      expect(listed.map(({ id }) => id)).toEqual(['wh_two']);
      expect(await due()).toEqual([]);
      expect(await fanOut()).toBe(0);
      expect(await left()).toEqual(['wh_one']);
      expect(await clear()).toBe(true);
      expect(await left()).toEqual([]);
      expect(await states()).toEqual({ pending: 0, failed: 0 });
    });
  });

  describe('putting events on their way', () => {
    test('takes what the webhook asks for, from its creation on, once, in its own store', async () => {
      await append('pet.created');
      await insert(webhook());
      await append('pet.created', 8n);
      await append('pet.updated', 8n);
      await append('pet.deleted', 8n);
      await append('pet.created', 9n, 2n);
      expect(await queue().lagging(9)).toEqual([{ storeId: 1n, webhookId: 'wh_one' }]);
      await fanOut();
      await fanOut();
      expect(await queue().lagging(9)).toEqual([]);
      expect((await due()).map(({ event, petId, attempt }) => [event.type, petId, attempt])).toEqual([
        ['pet.created', 8n, 0],
        ['pet.deleted', 8n, 0],
      ]);
    });

    test('tells those first that are furthest behind', async () => {
      const ids = ['wh_a', 'wh_b', 'wh_c'];
      for (const id of ids) await insert(webhook({ id }));
      await append('pet.created');
      const told: string[] = [];
      for (let looks = 0; looks < 3; looks += 1) {
        const [first] = await queue().lagging(1);
        told.push(first?.webhookId ?? '');
        await fanOut(first?.webhookId);
        await append('pet.created');
      }
      expect(told.toSorted()).toEqual(ids);
    });

    test('takes so many at a time as it is told to, and goes on where it was', async () => {
      await insert(webhook());
      for (let index = 0; index < 5; index += 1) await append('pet.created');
      for (const expected of [2, 4, 5]) {
        await fanOut('wh_one', 2);
        expect(await log()).toHaveLength(expected);
      }
      const sequences = (await due()).map(({ event }) => event.sequence);
      expect(sequences).toEqual(sequences.toSorted((a, b) => Number(a - b)));
    });

    test('gives up what happened before it was switched off, and starts afresh when it is switched on again', async () => {
      await insert(webhook());
      await append('pet.created', 1n);
      await fanOut();
      await append('pet.created', 2n);
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false })));
      await append('pet.created', 3n);
      await fanOut();
      expect(await queue().lagging(9)).toEqual([]);
      expect(await due()).toEqual([]);
      await write(({ webhooks }) => webhooks.update(webhook()));
      await append('pet.created', 4n);
      await fanOut();
      expect((await due()).map(({ petId }) => petId)).toEqual([4n]);
      expect((await log()).map(({ state }) => state).toSorted()).toEqual(['failed', 'failed', 'pending']);
    });

    test('leaves out what happens while it is switched off, though it is changed meanwhile', async () => {
      await insert(webhook());
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false })));
      await append('pet.created');
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false, url: 'https://example.org/' })));
      expect(await queue().uncleared(9)).toEqual([]);
      expect(await log()).toEqual([]);
    });

    test('gives up what it asked for however much happened before that it did not ask for', async () => {
      await insert(webhook());
      await write(async ({ events }) => {
        for (let count = 0; count < 2 * CLEARED_AT_ONCE; count += 1) {
          await events.append({ type: 'pet.updated', object: {} });
        }
        await events.append({ type: 'pet.created', object: {} });
      });
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false })));
      while (!(await write(({ webhooks }) => webhooks.clear('wh_one', CLEARED_AT_ONCE))));
      expect(await log()).toMatchObject([{ state: 'failed' }]);
    });

    test('leaves nothing out when it is changed while it is far behind, and asks from then on for what it is changed to', async () => {
      await insert(webhook());
      await write(async ({ events }) => {
        for (let count = 0; count < CLEARED_AT_ONCE + 1; count += 1) {
          await events.append({ type: 'pet.created', object: {} });
        }
      });
      await write(({ webhooks }) => webhooks.update(webhook({ events: ['pet.created', 'order.placed'] })));
      await append('order.placed');
      await fanOut();
      const all = await reads().listDeliveries('wh_one', { limit: 999, order: 'asc', after: undefined });
      expect(all).toHaveLength(CLEARED_AT_ONCE + 2);
    });

    test('sends a test to the webhook under test alone', async () => {
      await insert(webhook({ events: ['webhook.test'] }));
      await insert(webhook({ id: 'wh_two', events: ['webhook.test'] }));
      const sent = await write(async ({ webhooks, events }) => {
        return webhooks.sendTest('wh_one', await events.append({ type: 'webhook.test', object: {} }));
      });
      await fanOut();
      await fanOut('wh_two');
      expect(await log()).toEqual([sent]);
      expect(await log('wh_two')).toEqual([]);
    });
  });

  describe('what is to be sent', () => {
    const only = async () => {
      await insert(webhook());
      await append('pet.created');
      await fanOut();
      const [delivery] = await log();
      if (!delivery) throw new Error('nothing was put on its way');
      return delivery.id;
    };
    /** As it is when an attempt of it begins. */
    const taken = async (id: string) => {
      const delivery = await reads().findDelivery('wh_one', id);
      if (!delivery) throw new Error('the delivery is gone');
      return { id, attempt: delivery.attempt, dueAt: delivery.nextAttemptAt ?? 0 };
    };
    const recordAttempt = async (id: string, attemptAt: number | null, under?: Awaited<ReturnType<typeof taken>>) => {
      const delivery = under ?? (await taken(id));
      const state = attemptAt === null ? 'failed' : 'pending';
      await write(({ webhooks }) => webhooks.recordAttempt(delivery, failure, { state, attemptAt }));
    };

    test('is due from its time on, and not once it is done with', async () => {
      const id = await only();
      const now = harness.clock();
      await recordAttempt(id, now + 100);
      expect(await due()).toEqual([]);
      harness.clock.advance(99);
      expect(await due()).toEqual([]);
      harness.clock.advance(1);
      expect((await due()).map(({ attempt }) => attempt)).toEqual([1]);
      await recordAttempt(id, null);
      expect(await due()).toEqual([]);
    });

    test('keeps what the latest attempt came to', async () => {
      const id = await only();
      harness.clock.advance(5);
      await recordAttempt(id, null);
      expect(await reads().findDelivery('wh_one', id)).toMatchObject({
        attempt: 1,
        state: 'failed',
        responseStatus: 500,
        responseBody: 'sorry',
        durationMs: 12,
        attemptedAt: harness.clock(),
        nextAttemptAt: null,
      });
      expect(await reads().findDelivery('wh_two', id)).toBeUndefined();
      expect(await reads(2n).findDelivery('wh_one', id)).toBeUndefined();
    });

    test('starts over from the first attempt when it is redelivered', async () => {
      const id = await only();
      await recordAttempt(id, null);
      const delivery = await reads().findDelivery('wh_one', id);
      if (!delivery) throw new Error('the delivery is gone');
      const again = await write(({ webhooks }) => webhooks.redeliver('wh_one', delivery));
      expect(again).toMatchObject({ id, attempt: 0, state: 'pending', nextAttemptAt: harness.clock() });
      expect(await due()).toMatchObject([{ id, attempt: 0 }]);
    });

    test.each([0, 1])('is not settled by attempt %i if that began before it was redelivered', async (attempts) => {
      const id = await only();
      if (attempts > 0) await recordAttempt(id, harness.clock());
      const under = await taken(id);
      const delivery = await reads().findDelivery('wh_one', id);
      if (!delivery) throw new Error('the delivery is gone');
      for (let asked = 0; asked < 3; asked += 1) {
        await write(({ webhooks }) => webhooks.redeliver('wh_one', delivery));
        await recordAttempt(id, null, under);
        expect(await due()).toMatchObject([{ id, attempt: 0 }]);
      }
      await recordAttempt(id, null);
      expect(await due()).toEqual([]);
    });

    test('is signed with both secrets until the grace of the older one ends', async () => {
      await only();
      const ends = harness.clock() + 1000;
      await write(({ webhooks }) => webhooks.replaceSecret('wh_one', 'whsec_two', ends));
      const secretsAt = async (now: number) => (await queue().endpoints(now)).map(({ secrets }) => secrets);
      expect(await secretsAt(ends - 1)).toEqual([['whsec_two', SECRET]]);
      expect(await secretsAt(ends)).toEqual([['whsec_two']]);
    });

    test('is taken by one instance at a time, until its lease ends', async () => {
      await only();
      const [endpoint] = (await queue().endpoints(harness.clock())) as [DueEndpoint];
      const lease = (holder: string, now: number) =>
        write(({ deliveryQueue }) => deliveryQueue.lease(endpoint, holder, now, now + 100));
      expect(await lease('a', 1000)).toBeTrue();
      expect(await lease('b', 1099)).toBeFalse();
      expect(await lease('a', 1099)).toBeTrue();
      expect(await lease('b', 1198)).toBeFalse();
      expect(await lease('b', 1199)).toBeTrue();
      expect(await lease('a', 1200)).toBeFalse();
    });

    test('tells since when an endpoint has not worked, and forgets it with one success', async () => {
      await only();
      const note = (isWorking: boolean) => write(({ webhooks }) => webhooks.noteHealth('wh_one', isWorking));
      const since = harness.clock();
      expect(await note(false)).toBe(since);
      harness.clock.advance(1000);
      expect(await note(false)).toBe(since);
      expect(await note(true)).toBeNull();
      expect(await note(false)).toBe(since + 1000);
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false, createdAt: since })));
      await write(({ webhooks }) => webhooks.update(webhook({ createdAt: since })));
      harness.clock.advance(1000);
      expect(await note(false)).toBe(since + 2000);
    });
  });
};
