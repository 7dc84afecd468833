import { describe, expect, test } from 'bun:test';
import { WEBHOOK_KEY } from '../../../test/webhook-key.ts';
import { prepareWebhookRows, type WebhookRepositoryHarness } from '../../../test/webhook-rows.ts';
import type { Key } from '../keys/key.ts';

export const eventVisibilitySuite = (open: () => Promise<WebhookRepositoryHarness>): void => {
  const { write, reads, queue, webhook, insert, append, fanOut, log, due, clock, advance } = prepareWebhookRows(open);

  const changeKey = (fields: Partial<Key>) => write(({ keys }) => keys.update({ ...WEBHOOK_KEY, ...fields }));
  const scopes = async () => (await due()).map((delivery) => delivery.scopes);

  describe('the key of a webhook', () => {
    test('is read with the due deliveries, in its current state', async () => {
      await insert(webhook());
      await append('pet.created');
      await fanOut();
      expect(await scopes()).toEqual([WEBHOOK_KEY.scopes]);
      await changeKey({ scopes: ['pets:read'] });
      expect(await scopes()).toEqual([['pets:read']]);
      await changeKey({ expiresAt: clock() + 1 });
      expect(await scopes()).toEqual([WEBHOOK_KEY.scopes]);
      advance(1);
      expect(await scopes()).toEqual([undefined]);
      await changeKey({ revokedAt: clock() });
      expect(await scopes()).toEqual([undefined]);
    });

    const losses: [string, Partial<Key>, string[]][] = [
      ['has lost a scope', { scopes: ['orders:read'] }, ['order.placed']],
      ['is revoked', { revokedAt: 1 }, []],
      ['has expired', { expiresAt: 1 }, []],
    ];
    test.each(losses)(
      'that %s causes no delivery of events it may not read, now or later',
      async (_, change, response) => {
        await insert(webhook({ events: ['pet.created', 'order.placed'] }));
        await changeKey(change);
        await append('pet.created');
        await append('order.placed');
        await fanOut();
        await changeKey({});
        await fanOut();
        expect((await due()).map(({ event }) => event.type as string)).toEqual(response);
      },
    );

    test('ends when it is revoked or expires, and the webhook is then listed', async () => {
      await insert(webhook());
      await insert(webhook({ id: 'wh_off', enabled: true }), 2n);
      await write(({ webhooks }) => webhooks.update(webhook({ id: 'wh_off', enabled: false })), 2n);
      const keyless = (from = 0, most = 9, keyId?: string) => queue().keyless({ from, to: clock() }, most, keyId);
      const found = [{ storeId: 1n, webhookId: 'wh_one' }];
      expect(await keyless()).toEqual([]);
      await changeKey({ expiresAt: clock() + 1 });
      expect(await keyless()).toEqual([]);
      advance(1);
      expect(await keyless(clock())).toEqual(found);
      expect(await keyless(clock() + 1)).toEqual([]);
      advance(1);
      await changeKey({ revokedAt: clock() });
      expect(await keyless(clock())).toEqual(found);
      expect(await keyless(0, 9, WEBHOOK_KEY.id)).toEqual(found);
      expect(await keyless(0, 9, 'key_nobody')).toEqual([]);
      await insert(webhook({ id: 'wh_two' }), 2n);
      expect(await keyless()).toHaveLength(2);
      expect(await keyless(0, 1)).toHaveLength(1);
    });
  });

  describe('a delivery that is given up', () => {
    test('is no longer due, and stores the reason next to earlier attempts', async () => {
      await insert(webhook());
      await append('pet.created');
      await fanOut();
      const [delivery] = await due();
      if (!delivery) throw new Error('nothing is due');
      await write(({ webhooks }) => webhooks.giveUp(delivery, 'not sent: because'));
      expect(await due()).toEqual([]);
      expect(await log()).toMatchObject([
        { state: 'failed', attempt: 0, responseStatus: null, responseBody: 'not sent: because', nextAttemptAt: null },
      ]);
    });

    test('stays due if it was redelivered in the meantime', async () => {
      await insert(webhook());
      await append('pet.created');
      await fanOut();
      const [before] = await due();
      const [logged] = await log();
      if (!before || !logged) throw new Error('nothing is due');
      await write(({ webhooks }) => webhooks.redeliver('wh_one', logged));
      await write(({ webhooks }) => webhooks.giveUp(before, 'not sent: because'));
      expect(await due()).toHaveLength(1);
    });
  });

  describe('due deliveries', () => {
    test('without an attempt are found, no matter how many others come first', async () => {
      await insert(webhook());
      for (let count = 0; count < 5; count += 1) await append('pet.created');
      await fanOut();
      const failure = { isDelivered: false, isGone: false, responseStatus: 500, responseBody: '', durationMs: 1 };
      for (const delivery of await due(4)) {
        const result = { ...failure, retryAfterMs: undefined };
        await write(({ webhooks }) => webhooks.recordAttempt(delivery, result, { state: 'pending', attemptAt: 0 }));
      }
      const [endpoint] = await queue().endpoints(clock());
      if (!endpoint) throw new Error('nothing is due');
      expect((await queue().deliveries(endpoint, clock(), 9)).map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 0]);
      const first = await queue().deliveries(endpoint, clock(), 1, 'first attempts');
      expect(first.map(({ attempt }) => attempt)).toEqual([0]);
    });
  });

  describe('a webhook of the operator', () => {
    test('is stored as such, listed on request, and counted separately', async () => {
      await insert(webhook());
      await insert(webhook({ id: 'wh_operator', isOperators: true }));
      expect(await reads().find('wh_operator')).toEqual(webhook({ id: 'wh_operator', isOperators: true }));
      const ids = async (withOperators: boolean) =>
        (await reads().list({ limit: 9, order: 'asc', after: undefined }, { withOperators })).map(({ id }) => id);
      expect(await ids(true)).toEqual(['wh_one', 'wh_operator']);
      expect(await ids(false)).toEqual(['wh_one']);
      expect(await write(({ webhooks }) => webhooks.lockCount(true))).toBe(1);
      expect(await write(({ webhooks }) => webhooks.lockCount(false))).toBe(1);
      await write(({ webhooks }) => webhooks.update(webhook({ isOperators: true, keyId: 'key_other' })));
      expect(await reads().find('wh_one')).toEqual(webhook({ isOperators: true, keyId: 'key_other' }));
    });
  });
};
