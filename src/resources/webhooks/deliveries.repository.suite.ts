import { describe, expect, test } from 'bun:test';
import { failure, prepareWebhookRows, SECRET, type WebhookRepositoryHarness } from '../../../test/webhook-rows.ts';
import type { DueEndpoint } from './webhooks.repository.ts';

export const deliveryRepositorySuite = (open: () => Promise<WebhookRepositoryHarness>): void => {
  const { write, reads, queue, webhook, insert, append, fanOut, log, due, clock, advance } = prepareWebhookRows(open);

  describe('a delivery', () => {
    const only = async () => {
      await insert(webhook());
      await append('pet.created');
      await fanOut();
      const [delivery] = await log();
      if (!delivery) throw new Error('nothing was put on its way');
      return delivery.id;
    };
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

    test('is due from its time, until it ends', async () => {
      const id = await only();
      const now = clock();
      await recordAttempt(id, now + 100);
      expect(await due()).toEqual([]);
      advance(99);
      expect(await due()).toEqual([]);
      advance(1);
      expect((await due()).map(({ attempt }) => attempt)).toEqual([1]);
      await recordAttempt(id, null);
      expect(await due()).toEqual([]);
    });

    test('stores the result of the latest attempt', async () => {
      const id = await only();
      advance(5);
      await recordAttempt(id, null);
      expect(await reads().findDelivery('wh_one', id)).toMatchObject({
        attempt: 1,
        state: 'failed',
        responseStatus: 500,
        responseBody: 'sorry',
        durationMs: 12,
        attemptedAt: clock(),
        nextAttemptAt: null,
      });
      expect(await reads().findDelivery('wh_two', id)).toBeUndefined();
      expect(await reads(2n).findDelivery('wh_one', id)).toBeUndefined();
    });

    const stateOf = async (id: string) => {
      const delivery = await reads().findDelivery('wh_one', id);
      return [delivery?.state, delivery?.attempt, delivery?.nextAttemptAt];
    };

    test('is found by its id, given up alone, and then shows no earlier response', async () => {
      await only();
      await append('pet.created');
      await fanOut();
      const ids = (await log()).map(({ id }) => id);
      expect(ids).toHaveLength(2);
      for (const id of ids) {
        expect(id).toMatch(/^dlv_[0-9A-Za-z]{24}$/);
        expect((await reads().findDelivery('wh_one', id))?.id).toBe(id);
        await recordAttempt(id, clock());
      }
      const [first = '', second = ''] = ids;
      const under = await taken(first);
      await write(({ webhooks }) => webhooks.giveUp({ ...under, attempt: 0 }, 'not sent: too late'));
      expect(await stateOf(first)).toEqual(['pending', 1, clock()]);
      await write(({ webhooks }) => webhooks.giveUp(under, 'not sent: because'));
      expect(await reads().findDelivery('wh_one', first)).toMatchObject({ state: 'failed', responseStatus: null });
      expect(await reads().findDelivery('wh_one', second)).toMatchObject({ state: 'pending', responseStatus: 500 });
      await recordAttempt(second, null);
      const given = await reads().findDelivery('wh_one', first);
      if (!given) throw new Error('the delivery is gone');
      await write(({ webhooks }) => webhooks.redeliver('wh_one', given));
      expect([await stateOf(first), await stateOf(second)]).toEqual([
        ['pending', 0, clock()],
        ['failed', 2, null],
      ]);
    });

    test('is deleted after its retention, for every webhook, in batches', async () => {
      await only();
      await insert(webhook({ id: 'wh_two' }));
      advance(1);
      await append('pet.created');
      for (const id of ['wh_one', 'wh_two']) await fanOut(id);
      const forget = (before: number, most: number) => write(({ webhooks }) => webhooks.forgetDeliveries(before, most));
      expect([await forget(clock() - 1, 9), await forget(clock(), 9)]).toEqual([0, 1]);
      expect([await log(), await log('wh_two')].map(({ length }) => length)).toEqual([1, 1]);
      expect([await forget(clock() + 1, 1), await forget(clock() + 1, 2)]).toEqual([1, 1]);
    });

    test('is deleted in batches of the given size', async () => {
      await only();
      await insert(webhook({ id: 'wh_two' }));
      await append('pet.created');
      for (const id of ['wh_one', 'wh_two']) await fanOut(id);
      expect(await write(({ webhooks }) => webhooks.forgetDeliveries(clock() + 1, 2))).toBe(2);
    });

    test('shows how long the first one has been due', async () => {
      const id = await only();
      const now = clock();
      expect([await queue().oldestDue(now - 1), await queue().oldestDue(now)]).toEqual([undefined, now]);
      await recordAttempt(id, now + 100);
      expect([await queue().oldestDue(now + 99), await queue().oldestDue(now + 200)]).toEqual([undefined, now + 100]);
    });

    test('is pending until its retry', async () => {
      const id = await only();
      await recordAttempt(id, clock() + 100);
      expect(await stateOf(id)).toEqual(['pending', 1, clock() + 100]);
    });

    test.each(['pending', 'delivered'] as const)(
      'is not retried if it was given up during an attempt that leaves it %s',
      async (state) => {
        const id = await only();
        const under = await taken(id);
        await write(({ webhooks }) => webhooks.giveUp(under, 'not sent: because'));
        await write(({ webhooks }) => webhooks.recordAttempt(under, failure, { state, attemptAt: clock() }));
        expect(await stateOf(id)).toEqual([state === 'pending' ? 'failed' : state, 1, null]);
      },
    );

    test('counts an attempt once, with the first reported result', async () => {
      const id = await only();
      const under = await taken(id);
      for (const state of ['delivered', 'failed'] as const) {
        await write(({ webhooks }) => webhooks.recordAttempt(under, failure, { state, attemptAt: null }));
      }
      expect(await stateOf(id)).toEqual(['delivered', 1, null]);
    });

    test('restarts at the first attempt when it is redelivered', async () => {
      const id = await only();
      await recordAttempt(id, null);
      const delivery = await reads().findDelivery('wh_one', id);
      if (!delivery) throw new Error('the delivery is gone');
      const again = await write(({ webhooks }) => webhooks.redeliver('wh_one', delivery));
      expect(again).toMatchObject({ id, attempt: 0, state: 'pending', nextAttemptAt: clock() });
      expect(await due()).toMatchObject([{ id, attempt: 0 }]);
    });

    test.each([0, 1])('is not ended by attempt %i if that began before the redelivery', async (attempts) => {
      const id = await only();
      if (attempts > 0) await recordAttempt(id, clock());
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

    test('is signed with both secrets until the grace period of the older one ends', async () => {
      await only();
      const ends = clock() + 1000;
      await write(({ webhooks }) => webhooks.replaceSecret('wh_one', 'whsec_two', ends));
      const secretsAt = async (now: number) => (await queue().endpoints(now)).map(({ secrets }) => secrets);
      expect(await secretsAt(ends - 1)).toEqual([['whsec_two', SECRET]]);
      expect(await secretsAt(ends)).toEqual([['whsec_two']]);
    });

    test('is leased by one instance at a time, until the lease ends', async () => {
      await only();
      const [endpoint] = (await queue().endpoints(clock())) as [DueEndpoint];
      const lease = (holder: string, now: number) =>
        write(({ deliveryQueue }) => deliveryQueue.lease(endpoint, holder, now, now + 100));
      expect(await lease('a', 1000)).toBeTrue();
      expect(await lease('b', 1099)).toBeFalse();
      expect(await lease('a', 1099)).toBeTrue();
      expect(await lease('b', 1198)).toBeFalse();
      expect(await lease('b', 1199)).toBeTrue();
      expect(await lease('a', 1200)).toBeFalse();
    });

    test('is leased for one webhook without the others of its store', async () => {
      await only();
      await insert(webhook({ id: 'wh_two' }));
      const [endpoint] = (await queue().endpoints(clock())) as [DueEndpoint];
      const lease = (webhookId: string, holder: string) =>
        write(({ deliveryQueue }) => deliveryQueue.lease({ ...endpoint, webhookId }, holder, 1000, 1100));
      expect(await lease('wh_one', 'a')).toBeTrue();
      expect(await lease('wh_two', 'b')).toBeTrue();
      expect(await lease('wh_one', 'b')).toBeFalse();
    });

    test('can be leased if another lease was taken before the clock was set back', async () => {
      await only();
      const [endpoint] = (await queue().endpoints(clock())) as [DueEndpoint];
      const lease = (holder: string, until: number) =>
        write(({ deliveryQueue }) => deliveryQueue.lease(endpoint, holder, until - 30, until));
      const ends = clock();
      const taken = [await lease('a', ends), await lease('b', ends - 60_000), await lease('b', ends - 60_001)];
      expect(taken).toEqual([true, false, true]);
    });

    test('becomes due if it is scheduled later than any retry can be, in batches', async () => {
      const id = await only();
      const hasten = (latest: number) => write(({ deliveryQueue }) => deliveryQueue.hasten(clock(), latest, 9));
      await recordAttempt(id, clock() + 100);
      expect(await hasten(clock() + 100)).toBe(0);
      expect(await due()).toEqual([]);
      expect(await hasten(clock() + 99)).toBe(1);
      expect((await due()).map(({ attempt }) => attempt)).toEqual([1]);
    });

    test('becomes due in batches of different deliveries, however many webhooks there are in all stores', async () => {
      await only();
      await append('pet.created');
      await fanOut();
      for (const { id } of await log()) await recordAttempt(id, clock() + 100);
      await insert(webhook({ id: 'wh_two' }));
      await insert(webhook(), 2n);
      expect(await write(({ deliveryQueue }) => deliveryQueue.hasten(clock(), clock(), 2))).toBe(2);
      expect(await due()).toHaveLength(2);
    });

    test('shows when an endpoint began to fail, until one success', async () => {
      await only();
      const note = (isWorking: boolean, id = 'wh_one') => write(({ webhooks }) => webhooks.noteHealth(id, isWorking));
      const since = clock();
      await insert(webhook({ id: 'wh_two' }));
      expect(await note(false)).toBe(since);
      advance(1000);
      expect(await note(false, 'wh_two')).toBe(clock());
      expect(await note(false)).toBe(since);
      expect(await note(true)).toBeNull();
      expect(await note(false)).toBe(since + 1000);
      await write(({ webhooks }) => webhooks.update(webhook({ enabled: false, createdAt: since })));
      await write(({ webhooks }) => webhooks.update(webhook({ createdAt: since })));
      advance(1000);
      expect(await note(false)).toBe(since + 2000);
      advance(1000);
      await write(({ webhooks }) => webhooks.update(webhook({ events: ['pet.created'], createdAt: since })));
      expect(await note(false)).toBe(since + 2000);
      await write(({ webhooks }) => webhooks.update(webhook({ url: 'https://example.net/', createdAt: since })));
      expect(await note(false)).toBe(since + 3000);
    });
  });
};
