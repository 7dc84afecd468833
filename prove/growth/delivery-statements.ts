import type { Delivery } from '../../src/resources/webhooks/delivery.ts';
import type { Webhook } from '../../src/resources/webhooks/webhook.ts';
import { CLEARED_PER_TRANSACTION } from '../../src/resources/webhooks/webhooks.repository.ts';
import { DAY_MS, HOUR_MS, NOW, type Store } from './fill.ts';
import { batch, type Methods, page, pages, row, unbounded } from './statement.ts';

const webhook = ({ webhookId: id, keyId }: Store): Webhook => ({
  ...{ id, keyId, url: 'https://example.com', events: ['pet.created'], enabled: true },
  ...{ disabledReason: null, createdAt: NOW, isOperators: false },
});
const attempt = ({ deliveryId }: Store) => ({ id: deliveryId, attempt: 0, dueAt: NOW - 4 });
const endpoint = ({ storeId, webhookId }: Store) => ({ storeId, webhookId, url: '', secrets: [] });
const result = {
  ...{ isDelivered: true, isGone: false, responseStatus: 200, responseBody: 'ok', durationMs: 1 },
  retryAfterMs: undefined,
};

export const deliveryStatements: Methods<'webhooks' | 'deliveryQueue'> = {
  webhooks: {
    find: row(({ webhooks }, { webhookId }) => webhooks.find(webhookId)),
    lock: row(({ webhooks }, { webhookId }) => webhooks.lock(webhookId)),
    list: page(async ({ webhooks }) => {
      for (const one of pages({ createdAt: NOW - 5, id: 'x' })) await webhooks.list(one, { withOperators: false });
    }),
    findDelivery: row(({ webhooks }, { webhookId, deliveryId }) => webhooks.findDelivery(webhookId, deliveryId)),
    listDeliveries: page(async ({ webhooks }, { webhookId }) => {
      for (const one of pages({ createdAt: NOW - 20 * DAY_MS, id: 'x' })) await webhooks.listDeliveries(webhookId, one);
    }),
    lockCount: page(({ webhooks }) => webhooks.lockCount(false)),
    insert: row(({ webhooks }, store) => webhooks.insert({ ...webhook(store), id: 'wh_new' }, 'secret')),
    update: batch(async ({ webhooks }, store) => {
      await webhooks.update({ ...webhook(store), url: 'https://example.org' });
      await webhooks.update({ ...webhook(store), enabled: false });
    }),
    replaceSecret: row(({ webhooks }, { webhookId }) => webhooks.replaceSecret(webhookId, 'new', NOW)),
    remove: batch(({ webhooks }, { webhookId }) => webhooks.remove(webhookId)),
    clear: batch(async ({ webhooks }, { webhookId }) => {
      await webhooks.remove(webhookId);
      await webhooks.clear(webhookId, CLEARED_PER_TRANSACTION);
    }),
    fanOut: 'PostgreSQL adds deliveries together with the sequence numbers',
    settle: page(({ webhooks }) => webhooks.settle()),
    hasten: batch(({ webhooks }) => webhooks.hasten(NOW + DAY_MS, 1000)),
    claim: row(({ webhooks }, { deliveryId }) => webhooks.claim([deliveryId])),
    release: row(({ webhooks }, store) => webhooks.release(attempt(store))),
    noteHealth: row(({ webhooks }, { webhookId }) => webhooks.noteHealth(webhookId, false)),
    // `sendTest` counts as a batch, because assigning the event's sequence number takes several statements.
    sendTest: batch(async ({ webhooks, events }, { webhookId }) => {
      await webhooks.sendTest(webhookId, await events.append({ type: 'webhook.test', object: {} }));
    }),
    redeliver: row(async ({ webhooks }, { webhookId, deliveryId }) => {
      const delivery = await webhooks.findDelivery(webhookId, deliveryId);
      await webhooks.redeliver(webhookId, delivery as Delivery);
    }),
    recordAttempt: row(({ webhooks }, store) =>
      webhooks.recordAttempt(attempt(store), result, { state: 'delivered', attemptAt: null }),
    ),
    giveUp: row(({ webhooks }, store) => webhooks.giveUp(attempt(store), 'gone')),
    forgetDeliveries: batch(({ webhooks }) => webhooks.forgetDeliveries(NOW - 29 * DAY_MS, 1000)),
  },
  deliveryQueue: {
    isShared: 'not a method',
    lagging: 'only SQLite looks for events without deliveries',
    dueStores: unbounded(({ deliveryQueue }) => deliveryQueue.dueStores(NOW)),
    keyless: page(async ({ deliveryQueue }, { keyId }) => {
      await deliveryQueue.keyless({ from: 0, to: NOW }, 100, keyId);
      await deliveryQueue.keyless({ from: NOW - HOUR_MS, to: NOW }, 100);
    }),
    uncleared: unbounded(({ deliveryQueue }) => deliveryQueue.uncleared(100)),
    endpoints: [
      page(({ deliveryQueue }, { storeId }) => deliveryQueue.endpoints(NOW, storeId)),
      unbounded(({ deliveryQueue }) => deliveryQueue.endpoints(NOW)),
    ],
    deliveries: batch(async ({ deliveryQueue }, store) => {
      await deliveryQueue.deliveries(endpoint(store), NOW, 64);
      await deliveryQueue.deliveries(endpoint(store), NOW, 64, 'first attempts');
    }),
    oldestDue: unbounded(({ deliveryQueue }) => deliveryQueue.oldestDue(NOW)),
    farAhead: unbounded(({ deliveryQueue }) => deliveryQueue.farAhead(NOW + DAY_MS)),
  },
};
