import { beforeEach, describe, expect, test } from 'bun:test';
import { prepareWebhookRows, SECRET, type WebhookRepositoryHarness } from '../../../test/webhook-rows.ts';
import { CLEARED_PER_TRANSACTION, type WebhookRepository } from './webhooks.repository.ts';

const ALL = { withOperators: true };

export const webhookRepositorySuite = (open: () => Promise<WebhookRepositoryHarness>): void => {
  const { write, reads, queue, webhook, insert, append, fanOut, log, due, rows, clock } = prepareWebhookRows(open);

  describe('the webhook repository', () => {
    test('returns a webhook as it was inserted, only to its own store', async () => {
      await insert(webhook());
      expect(await reads().find('wh_one')).toEqual(webhook());
      expect(await reads(2n).find('wh_one')).toBeUndefined();
      expect(await reads(2n).list({ limit: 9, order: 'asc', after: undefined }, ALL)).toEqual([]);
    });

    test('stores changes to all mutable fields, of this webhook only', async () => {
      await insert(webhook());
      await insert(webhook({ id: 'wh_two' }));
      await insert(webhook(), 2n);
      const changed = webhook({ url: 'https://example.org/', events: ['order.placed'], enabled: false });
      await write(({ webhooks }) => webhooks.update({ ...changed, disabledReason: 'gone' }));
      expect(await reads().find('wh_one')).toEqual({ ...changed, disabledReason: 'gone' });
      expect(await reads().find('wh_two')).toEqual(webhook({ id: 'wh_two' }));
      expect(await reads(2n).find('wh_one')).toEqual(webhook());
    });

    test('replaces the secret of only this webhook', async () => {
      for (const id of ['wh_one', 'wh_two']) await insert(webhook({ id }));
      await append('pet.created');
      await fanOut();
      await write(({ webhooks }) => webhooks.replaceSecret('wh_one', 'whsec_two', clock()));
      const secrets = (await queue().endpoints(clock())).map((endpoint) => [endpoint.webhookId, endpoint.secrets]);
      expect(secrets.sort()).toEqual([
        ['wh_one', ['whsec_two']],
        ['wh_two', [SECRET]],
      ]);
    });

    test('lists by time and then by id, after any position, in both orders', async () => {
      const times: [string, number][] = [
        ['wh_b', 5],
        ['wh_a', 5],
        ['wh_c', 4],
        ['wh_d', 6],
      ];
      for (const [id, createdAt] of times) await insert(webhook({ id, createdAt }));
      const ids = async (order: 'asc' | 'desc', after?: { createdAt: number; id: string }) =>
        (await reads().list({ limit: 3, order, after }, ALL)).map(({ id }) => id);
      expect(await ids('asc')).toEqual(['wh_c', 'wh_a', 'wh_b']);
      expect(await ids('asc', { createdAt: 5, id: 'wh_a' })).toEqual(['wh_b', 'wh_d']);
      expect(await ids('desc')).toEqual(['wh_d', 'wh_b', 'wh_a']);
      expect(await ids('desc', { createdAt: 5, id: 'wh_b' })).toEqual(['wh_a', 'wh_c']);
    });

    test('removes only the deliveries of the removed webhook', async () => {
      await insert(webhook());
      await insert(webhook({ id: 'wh_two' }));
      await append('pet.created');
      await fanOut();
      await write(({ webhooks }) => webhooks.remove('wh_one'));
      expect(await reads().find('wh_one')).toBeUndefined();
      expect(await log()).toEqual([]);
      expect(await log('wh_two')).toHaveLength(1);
      expect(await reads().find('wh_two')).toEqual(webhook({ id: 'wh_two' }));
      expect(await write(({ webhooks }) => webhooks.clear('wh_two', 9))).toBe(true);
      expect(await log('wh_two')).toHaveLength(1);
    });
  });

  describe('a webhook with more deliveries than one transaction can clear', () => {
    const COUNT = CLEARED_PER_TRANSACTION + 100;
    beforeEach(async () => {
      await insert(webhook());
      await insert(webhook({ id: 'wh_two', events: ['order.placed'] }));
      await write(async ({ events }) => {
        for (let count = 0; count < COUNT; count += 1) await events.append({ type: 'pet.created', object: {} });
      });
      await fanOut();
    });
    const clear = (most = CLEARED_PER_TRANSACTION) => write(({ webhooks }) => webhooks.clear('wh_one', most));
    const states = async () => {
      const all = await reads().listDeliveries('wh_one', { limit: 2 * COUNT, order: 'asc', after: undefined });
      const count = (wanted: string) => all.filter(({ state }) => state === wanted).length;
      return { pending: count('pending'), failed: count('failed') };
    };
    const left = async () => (await queue().uncleared(9)).map(({ webhookId }) => webhookId);

    test('gives them up in batches once it is disabled, and sends none', async () => {
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false, disabledReason: 'switched_off' })));
      expect(await states()).toEqual({ pending: 100, failed: CLEARED_PER_TRANSACTION });
      await insert(webhook(), 2n);
      expect(await due()).toEqual([]);
      expect(await queue().oldestDue(clock())).toBeUndefined();
      expect(await left()).toEqual(['wh_one']);
      expect(await clear(50)).toBe(false);
      expect(await clear()).toBe(true);
      expect(await states()).toEqual({ pending: 0, failed: COUNT });
      expect(await left()).toEqual([]);
    });

    test.each([
      ['disabled', (webhooks: WebhookRepository) => webhooks.update(webhook({ enabled: false }))],
      ['removed', (webhooks: WebhookRepository) => webhooks.remove('wh_one')],
    ])('sends none once it is %s, even if its endpoint was read before', async (_, end) => {
      const [endpoint] = await queue().endpoints(clock());
      if (!endpoint) throw new Error('no endpoint is due');
      const dueNow = async () => (await queue().deliveries(endpoint, clock(), COUNT)).map(({ id }) => id);
      const before = await dueNow();
      expect(before).toHaveLength(COUNT);
      await write(({ webhooks }) => end(webhooks));
      expect((await states()).pending).toBe(100);
      expect(await dueNow()).toEqual([]);
      expect(await write(({ webhooks }) => webhooks.claim(before))).toEqual([]);
    });

    test('also gives up events that were not fanned out yet', async () => {
      await write(async ({ events }) => {
        for (let count = 0; count < COUNT; count += 1) await events.append({ type: 'pet.deleted', object: {} });
      });
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false, disabledReason: 'switched_off' })));
      let rounds = 1;
      while (!(await clear())) rounds += 1;
      expect(rounds).toBeGreaterThan(1);
      expect(await states()).toEqual({ pending: 0, failed: 2 * COUNT });
    });

    test('disappears immediately with its secrets when it is removed, and its deliveries follow in batches', async () => {
      await write(({ webhooks }) => webhooks.replaceSecret('wh_one', 'whsec_two', clock() + 1000));
      await write(({ webhooks }) => webhooks.remove('wh_one'));
      expect(await rows(`SELECT secret, previous_secret FROM webhooks WHERE id = 'wh_one'`)).toEqual([
        { secret: '', previous_secret: null },
      ]);
      expect(await reads().find('wh_one')).toBeUndefined();
      expect(await write(({ webhooks }) => webhooks.lock('wh_one'))).toBeUndefined();
      expect(await write(({ webhooks }) => webhooks.lockCount(false))).toBe(1);
      const listed = await reads().list({ limit: 9, order: 'asc', after: undefined }, ALL);
      expect(listed.map(({ id }) => id)).toEqual(['wh_two']);
      expect(await due()).toEqual([]);
      expect(await left()).toEqual(['wh_one']);
      expect(await clear(50)).toBe(false);
      expect(await clear()).toBe(true);
      expect(await left()).toEqual([]);
      expect(await states()).toEqual({ pending: 0, failed: 0 });
    });
  });

  describe('fan-out', () => {
    test('adds the subscribed events since the creation of the webhook, once, in its own store', async () => {
      await append('pet.created');
      await insert(webhook());
      await append('pet.created', 8n);
      await append('pet.updated', 8n);
      await append('pet.deleted', 8n);
      await append('pet.created', 9n, 2n);
      await fanOut();
      await fanOut();
      expect(await queue().lagging()).toEqual([]);
      expect((await due()).map(({ event, petId, attempt }) => [event.type, petId, attempt])).toEqual([
        ['pet.created', 8n, 0],
        ['pet.deleted', 8n, 0],
      ]);
    });

    test('still adds earlier events for the first webhook when a second one is created', async () => {
      await insert(webhook());
      await append('pet.created');
      await insert(webhook({ id: 'wh_two' }));
      await fanOut();
      expect([await log(), await log('wh_two')]).toEqual([[expect.anything()], []]);
    });

    test('omits earlier events, even of the same transaction, after creation and after enabling', async () => {
      const appendBefore = (change: 'insert' | 'update') =>
        write(async ({ webhooks, events }) => {
          await events.append({ type: 'pet.created', object: {} });
          await webhooks.lockCount(false);
          await (change === 'insert' ? webhooks.insert(webhook(), SECRET) : webhooks.update(webhook()));
        });
      await appendBefore('insert');
      await fanOut();
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false })));
      await appendBefore('update');
      await fanOut();
      expect(await log()).toEqual([]);
    });

    test('gives up events from before the webhook was disabled, and starts with new ones when it is enabled', async () => {
      await insert(webhook());
      await append('pet.created', 1n);
      await fanOut();
      await append('pet.created', 2n);
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false })));
      await append('pet.created', 3n);
      await fanOut();
      expect(await due()).toEqual([]);
      await write(({ webhooks }) => webhooks.update(webhook()));
      await append('pet.created', 4n);
      await fanOut();
      expect((await due()).map(({ petId }) => petId)).toEqual([4n]);
      expect((await log()).map(({ state }) => state).toSorted()).toEqual(['failed', 'failed', 'pending']);
    });

    test('omits events that occur while the webhook is disabled, even if it is changed in the meantime', async () => {
      await insert(webhook());
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false })));
      await append('pet.created');
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false, url: 'https://example.org/' })));
      expect(await queue().uncleared(9)).toEqual([]);
      expect(await log()).toEqual([]);
    });

    test('gives up subscribed events, no matter how many others came before', async () => {
      await insert(webhook());
      await write(async ({ events }) => {
        for (let count = 0; count < 2 * CLEARED_PER_TRANSACTION; count += 1) {
          await events.append({ type: 'pet.updated', object: {} });
        }
        await events.append({ type: 'pet.created', object: {} });
      });
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false })));
      while (!(await write(({ webhooks }) => webhooks.clear('wh_one', CLEARED_PER_TRANSACTION))));
      expect(await log()).toMatchObject([{ state: 'failed' }]);
    });

    test('omits nothing when a lagging webhook is changed, and uses the new types from then on', async () => {
      await insert(webhook());
      await write(async ({ events }) => {
        for (let count = 0; count < CLEARED_PER_TRANSACTION + 1; count += 1) {
          await events.append({ type: 'pet.created', object: {} });
        }
      });
      await write(({ webhooks }) => webhooks.update(webhook({ events: ['pet.created', 'order.placed'] })));
      await append('order.placed');
      await fanOut();
      const all = await reads().listDeliveries('wh_one', { limit: 999, order: 'asc', after: undefined });
      expect(all).toHaveLength(CLEARED_PER_TRANSACTION + 2);
    });

    test('sends a test only to the tested webhook', async () => {
      await insert(webhook({ events: ['webhook.test'] }));
      await insert(webhook({ id: 'wh_two', events: ['webhook.test'] }));
      const sent = await write(async ({ webhooks, events }) => {
        const eventId = await events.append({ type: 'webhook.test', object: {} });
        for (const type of ['pet.created', 'webhook.test'] as const) await events.append({ type, object: {} });
        const delivery = await webhooks.sendTest('wh_one', eventId);
        expect(delivery.eventId).toBe(eventId);
        return delivery;
      });
      await fanOut();
      expect(await log()).toEqual([sent]);
      expect(await log('wh_two')).toEqual([]);
    });
  });
};
