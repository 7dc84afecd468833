import { describe, expect, test } from 'bun:test';
import { type AttemptResult, FAILING_MS } from '../resources/webhooks/delivery.ts';
import type { DueDelivery, DueEndpoint } from '../resources/webhooks/webhooks.repository.ts';
import { attemptDelivery } from './attempt-delivery.ts';

const endpoint: DueEndpoint = {
  storeId: 7n,
  webhookId: 'wh_one',
  url: 'https://example.org/',
  secrets: [`whsec_${Buffer.alloc(32, 1).toString('base64')}`],
};
const delivery: DueDelivery = {
  id: 'dlv_one',
  attempt: 0,
  dueAt: 0,
  petId: null,
  isClaimed: false,
  event: {
    storeId: 7n,
    id: 'evt_one',
    sequence: 1n,
    type: 'pet.created',
    occurredAt: 0,
    data: '{"object":{}}',
    actorKeyId: null,
    traceparent: null,
    requestId: null,
    address: null,
    orderId: null,
  },
  scopes: [],
};
const delivered: AttemptResult = {
  isDelivered: true,
  isGone: false,
  responseStatus: 200,
  responseBody: '',
  durationMs: 1,
  retryAfterMs: undefined,
};

const parts = {
  clock: () => 1_999_999,
  trustedNow: () => 1_999_999,
  random: () => 0.5,
  version: '1.2.3',
  release: async () => undefined,
};

const begin = (answer: Promise<AttemptResult>, due = delivery) => {
  const kept: bigint[] = [];
  const sent: Record<string, string>[] = [];
  const released: string[] = [];
  const attempt = attemptDelivery({
    send: ({ headers }) => {
      sent.push(headers);
      return answer;
    },
    write: async (storeId) => kept.push(storeId) as never,
    ...parts,
    release: async (_, { id }) => void released.push(id),
  });
  const cutOff = new AbortController();
  return { kept, sent, released, cutOff, ended: attempt(endpoint, due, cutOff.signal) };
};

describe('an attempt', () => {
  test('is recorded in the store of its endpoint, and sends our version and the current time in seconds', async () => {
    const { kept, sent, ended } = begin(Promise.resolve(delivered));
    expect(await ended).toBe(true);
    expect(kept).toEqual([7n]);
    expect(sent).toMatchObject([{ 'User-Agent': 'Petstore/1.2.3', 'webhook-timestamp': '1999' }]);
  });

  test('continues the trace of its event, if there is one', async () => {
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    const traced = begin(Promise.resolve(delivered), { ...delivery, event: { ...delivery.event, traceparent } });
    const untraced = begin(Promise.resolve(delivered));
    await Promise.all([traced.ended, untraced.ended]);
    expect(traced.sent[0]?.traceparent).toBe(traceparent);
    expect(untraced.sent[0]).not.toHaveProperty('traceparent');
  });

  test('is released and not recorded when it is cut off, even if its answer comes later', async () => {
    const answer = Promise.withResolvers<AttemptResult>();
    const { kept, released, cutOff, ended } = begin(answer.promise);
    cutOff.abort();
    expect(await ended).toBe(false);
    answer.resolve(delivered);
    await answer.promise;
    expect([kept, released]).toEqual([[], [delivery.id]]);
  });

  test.each([
    ['disables', 1_999_999, ['failing']],
    ['does not disable', undefined, []],
  ])('%s a webhook that has failed for too long, if the trusted time is %p', async (_, trusted, reasons) => {
    const disabled: unknown[] = [];
    const webhooks = {
      lock: async () => ({ enabled: true, url: endpoint.url, events: [], createdAt: 0 }),
      recordAttempt: async () => undefined,
      noteHealth: async () => 0,
      update: async ({ disabledReason }: { disabledReason: string }) => disabled.push(disabledReason),
    };
    const repositories = { webhooks, events: { append: async () => undefined }, now: () => FAILING_MS };
    const attempt = attemptDelivery({
      ...parts,
      send: async () => ({ ...delivered, isDelivered: false }),
      write: async (_storeId, body) => body(repositories as never),
      trustedNow: () => trusted,
    });
    expect(await attempt(endpoint, delivery, new AbortController().signal)).toBe(false);
    expect(disabled).toEqual(reasons);
  });
});
