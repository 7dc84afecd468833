import { describe, expect, test } from 'bun:test';
import { failure, prepareWebhookRows, SECRET, type WebhookRepositoryHarness } from '../../../test/webhook-rows.ts';
import { CLAIM_MS } from './webhooks.repository.ts';

export const deliveryRepositorySuite = (open: () => Promise<WebhookRepositoryHarness>): void => {
  const { write, reads, queue, webhook, insert, append, fanOut, log, due, clock, advance } = prepareWebhookRows(open);

  describe('a delivery', () => {
    const only = async () => {
      await insert(webhook());
      await append('pet.created');
      await fanOut();
      const [delivery] = await log();
      if (!delivery) throw new Error('no delivery was created');
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

    test('is due from the time of its next attempt until it ends', async () => {
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

    test('is found by its id, can be given up alone, and then shows no earlier response', async () => {
      await only();
      await append('pet.created');
      await fanOut();
      const ids = (await log()).map(({ id }) => id);
      expect(ids).toHaveLength(2);
      for (const id of ids) {
        expect(id).toMatch(/^dlv_[0-9A-Za-z]{12}one$/);
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

    test('is deleted after the retention period, for every webhook, in batches', async () => {
      await only();
      await insert(webhook({ id: 'wh_two' }));
      advance(1);
      await append('pet.created');
      await fanOut();
      const forget = (before: number, most: number) => write(({ webhooks }) => webhooks.forgetDeliveries(before, most));
      expect([await forget(clock() - 1, 9), await forget(clock(), 9)]).toEqual([0, 1]);
      expect([await log(), await log('wh_two')].map(({ length }) => length)).toEqual([1, 1]);
      expect([await forget(clock() + 1, 1), await forget(clock() + 1, 2)]).toEqual([1, 1]);
    });

    test('is deleted in batches of the given size', async () => {
      await only();
      await insert(webhook({ id: 'wh_two' }));
      await append('pet.created');
      await fanOut();
      expect(await write(({ webhooks }) => webhooks.forgetDeliveries(clock() + 1, 2))).toBe(2);
    });

    test('that has been due longest is found with its time', async () => {
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

    const unclaimed = async () => (await due()).filter(({ isClaimed }) => !isClaimed);
    const claim = (...ids: string[]) => write(({ webhooks }) => webhooks.claim(ids));

    test('is claimed once, until the claim expires', async () => {
      const id = await only();
      await append('pet.created');
      await fanOut();
      const [other = ''] = (await log()).map((delivery) => delivery.id).filter((found) => found !== id);
      expect(await claim(id)).toEqual([id]);
      expect(await claim(id, other, 'dlv_unknown')).toEqual([other]);
      advance(CLAIM_MS - 1);
      expect([await unclaimed(), await claim(id)]).toEqual([[], []]);
      advance(1);
      expect(await unclaimed()).toHaveLength(2);
      expect(await claim(id)).toEqual([id]);
    });

    test('can be claimed if it was claimed before the clock was set back', async () => {
      const id = await only();
      advance(60_001);
      await claim(id);
      advance(-60_000);
      expect([await unclaimed(), await claim(id)]).toEqual([[], []]);
      advance(-1);
      expect(await unclaimed()).toHaveLength(1);
      expect(await claim(id)).toEqual([id]);
    });

    test('can be claimed only while it is due', async () => {
      const id = await only();
      await recordAttempt(id, clock() + 1);
      expect(await claim(id)).toEqual([]);
      advance(1);
      expect(await claim(id)).toEqual([id]);
    });

    test.each([
      ['recorded', (id: string) => recordAttempt(id, clock())],
      ['released', async (id: string) => write(async ({ webhooks }) => webhooks.release(await taken(id)))],
      [
        'redelivered',
        async (id: string) => {
          const delivery = await reads().findDelivery('wh_one', id);
          if (!delivery) throw new Error('the delivery is gone');
          await write(({ webhooks }) => webhooks.redeliver('wh_one', delivery));
        },
      ],
    ])('is no longer claimed once it is %s', async (_, end) => {
      const id = await only();
      await claim(id);
      expect(await unclaimed()).toEqual([]);
      await end(id);
      expect(await unclaimed()).toMatchObject([{ id }]);
    });

    test('stays claimed if only an earlier attempt is released', async () => {
      const id = await only();
      const earlier = await taken(id);
      await recordAttempt(id, clock());
      await claim(id);
      await write(({ webhooks }) => webhooks.release(earlier));
      expect(await unclaimed()).toEqual([]);
    });

    test('becomes due if it is scheduled later than any retry can be, in batches', async () => {
      const id = await only();
      const hasten = (latest: number) => write(({ webhooks }) => webhooks.hasten(latest, 9));
      await recordAttempt(id, clock() + 100);
      await write(({ webhooks }) => webhooks.settle());
      expect([await queue().farAhead(clock() + 100), await hasten(clock() + 100)]).toEqual([[], 0]);
      expect(await due()).toEqual([]);
      expect([await queue().farAhead(clock() + 99), await hasten(clock() + 99)]).toEqual([[1n], 1]);
      expect((await due()).map(({ attempt }) => attempt)).toEqual([1]);
    });

    test('becomes due in batches of different deliveries, however many webhooks there are in the store', async () => {
      await only();
      await append('pet.created');
      await fanOut();
      for (const { id } of await log()) await recordAttempt(id, clock() + 100);
      await insert(webhook({ id: 'wh_two' }));
      await insert(webhook(), 2n);
      expect(await write(({ webhooks }) => webhooks.hasten(clock(), 2), 2n)).toBe(0);
      expect(await write(({ webhooks }) => webhooks.hasten(clock(), 2))).toBe(2);
      expect(await due()).toHaveLength(2);
    });

    test('makes its store due, until it is settled', async () => {
      const id = await only();
      const dueAt = async (now: number) => [await queue().dueStores(now - 1), await queue().dueStores(now)];
      const settle = () => write(({ webhooks }) => webhooks.settle());
      const now = clock();
      expect(await dueAt(now)).toEqual([[], [1n]]);
      await recordAttempt(id, now + 100);
      expect(await dueAt(now)).toEqual([[], [1n]]);
      await settle();
      expect(await dueAt(now + 100)).toEqual([[], [1n]]);
      advance(10);
      await append('pet.created');
      await fanOut();
      expect(await dueAt(now + 10)).toEqual([[], [1n]]);
      advance(10);
      await append('pet.created');
      await fanOut();
      expect(await dueAt(now + 10)).toEqual([[], [1n]]);
      for (const delivery of await log()) await recordAttempt(delivery.id, null);
      await settle();
      expect(await queue().dueStores(now + 1000)).toEqual([]);
      const [first] = await log();
      if (!first) throw new Error('the delivery is gone');
      await write(({ webhooks }) => webhooks.redeliver('wh_one', first));
      expect(await dueAt(clock())).toEqual([[], [1n]]);
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
