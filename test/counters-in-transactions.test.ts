import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Repositories } from '../src/compose/repositories.ts';
import { SYSTEM_CALL } from '../src/kernel/operation.ts';
import type { Webhook } from '../src/resources/webhooks/webhook.ts';
import { onEveryEngine, type TestDatabase } from './database.ts';
import { insertWebhookKey, WEBHOOK_KEY } from './webhook-key.ts';

const PET = { name: 'Rex', categoryId: 1n, status: 'available' } as const;
const WEBHOOK: Webhook = {
  id: 'wh_one',
  url: 'https://example.org/',
  events: ['pet.created'],
  enabled: true,
  disabledReason: null,
  createdAt: 0,
  keyId: WEBHOOK_KEY.id,
  isOperators: false,
};

const append = ({ events }: Repositories) => events.append({ type: 'pet.created', object: {}, petId: 7n });

describe('a transaction sees its own changes', () => {
  onEveryEngine((open) => {
    let opened: TestDatabase;
    beforeEach(async () => {
      opened = await open();
      await write(({ stores }) => stores.open(1n));
      await write(insertWebhookKey);
    });
    afterEach(() => opened.close());

    const write = <Result>(body: (repositories: Repositories) => Promise<Result>) =>
      opened.database.write(SYSTEM_CALL, body);
    const countDeliveries = async () => {
      await opened.database.read(1n).events.range();
      await write(({ webhooks }) => webhooks.fanOut(100));
      const page = { limit: 9, order: 'asc' } as const;
      return (await opened.database.read(1n).webhooks.listDeliveries(WEBHOOK.id, page)).length;
    };

    test('in the inventory', async () => {
      const counts = await write(async ({ pets }) => {
        await pets.insert(PET);
        const before = await pets.inventory();
        await pets.insertMany([PET, PET]);
        return [before, await pets.inventory()].map(({ available }) => available);
      });
      expect(counts).toEqual([1n, 3n]);
    });

    test('in the range of events', async () => {
      const lasts = await write(async (repositories) => {
        await append(repositories);
        const { last } = await repositories.events.range();
        await append(repositories);
        return [last, (await repositories.events.range()).last];
      });
      expect(lasts).toEqual([1n, 2n]);
    });

    test('in the deliveries of its events', async () => {
      await write(({ webhooks }) => webhooks.insert(WEBHOOK, 'secret'));
      const deliveries = await write(async (repositories) => {
        await append(repositories);
        await repositories.sequencer.assignPending(1n);
        await repositories.webhooks.fanOut(10);
        return repositories.webhooks.listDeliveries(WEBHOOK.id, { limit: 9, order: 'asc' });
      });
      expect(deliveries).toHaveLength(1);
    });

    test('and sends a new webhook no earlier event', async () => {
      await write(async (repositories) => {
        await append(repositories);
        await repositories.webhooks.lockCount(false);
        await repositories.webhooks.insert(WEBHOOK, 'secret');
        await append(repositories);
      });
      expect(await countDeliveries()).toBe(1);
    });

    test('and sends a re-enabled webhook no earlier event', async () => {
      await write(async ({ webhooks }) => {
        await webhooks.insert(WEBHOOK, 'secret');
        await webhooks.update({ ...WEBHOOK, enabled: false });
      });
      await write(async (repositories) => {
        await append(repositories);
        await repositories.webhooks.update(WEBHOOK);
        await append(repositories);
      });
      expect(await countDeliveries()).toBe(1);
    });
  });
});
