import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { expectError } from './expect-answer.ts';
import { waitFor } from './wait-for.ts';
import { startWebhookBench, type WebhookBench } from './webhook-bench.ts';
import { fine, refuse } from './webhook-receiver.ts';

const STORE = 7;
const ALL = ['webhooks:write', 'pets:read', 'pets:write', 'orders:read', 'orders:write'];

let bench: WebhookBench;
let shop: string;
let operator: string;
beforeEach(async () => {
  bench = await startWebhookBench();
  shop = await bench.service.issueKey({ storeId: STORE, scopes: ALL });
  operator = await bench.service.issueKey({ storeId: STORE, scopes: [...ALL, 'keys:write', 'events:read'] });
});
afterEach(() => bench.stop());

type Issued = { id: string; key: string };
const issue = async (scopes: string[], fields: object = {}): Promise<Issued> =>
  (await bench.service.post('/v1/keys', { name: 'x', plan: 'pro', storeId: STORE, scopes, ...fields })).body;
const changeKey = (id: string, body: object) => bench.service.call('PATCH', `/v1/keys/${id}`, { body });
const revoke = (id: string) => bench.service.call('DELETE', `/v1/keys/${id}`);
const createPet = (name?: string) => bench.createPet(name, shop);
const order = async () => bench.service.post('/v1/store/orders', { petId: await createPet() }, { key: shop });
const change = (id: string, body: object, key = shop) =>
  bench.service.call('PATCH', `/v1/webhooks/${id}`, { key, body });
const create = (key: string, body: object) =>
  bench.service.post('/v1/webhooks', { url: bench.receiver.url('/new'), ...body }, { key });
const show = async (id: string) => (await bench.service.get(`/v1/webhooks/${id}`, { key: operator })).body;
const deliveries = async (id: string): Promise<any[]> =>
  (await bench.service.get(`/v1/webhooks/${id}/deliveries?limit=100`, { key: operator })).body;
const types = (path: string) => bench.receiver.at(path).map(({ type }) => type);

/** Waits until the webhook `witness` has received a new event. Other webhooks may receive their events a little later. */
const settle = async (witness: string) => {
  const petId = await createPet('the last');
  await waitFor('the last event arrives', () => bench.receiver.at(witness).some((it) => it.petId === petId));
  await bench.service.runJobs();
};

describe('a webhook', () => {
  const refused: [string[], string, string][] = [
    [[], 'pet.created', 'pets:read'],
    [['orders:read'], 'pet.created', 'pets:read'],
    [['orders:read'], 'category.updated', 'pets:read'],
    [['pets:read', 'pets:write', 'orders:write'], 'order.placed', 'orders:read'],
    [['pets:read', 'orders:read', 'events:read'], 'key.created', 'keys:write'],
    [['pets:read', 'orders:read', 'ops:read'], 'webhook.deleted', 'keys:write'],
  ];
  test.each(refused)(
    'with the scopes %j cannot subscribe to %s, when created or changed',
    async (scopes, type, lacking) => {
      const { key, id: keyId } = await issue(['webhooks:write', ...scopes]);
      const response = await create(key, { events: [type] });
      expectError(response, 'insufficient_scope', 403);
      expect(response.body.message).toStartWith(
        `The API key lacks the \`${lacking}\` scope, which ${type} events require.`,
      );

      await changeKey(keyId, { scopes: ALL });
      const { id } = (await create(key, { events: ['pet.deleted'] })).body;
      await changeKey(keyId, { scopes: ['webhooks:write', ...scopes] });
      const own = await change(id, { events: [type] }, key);
      expectError(own, 'insufficient_scope', 403);
      expect(own.body.message).toBe(response.body.message);
      const byOperator = await change(id, { events: [type] }, operator);
      expectError(byOperator, 'insufficient_scope', 403);
      expect(byOperator.body.message).toStartWith(
        `Key ${keyId} lacks the \`${lacking}\` scope, which ${type} events require.`,
      );
      expect((await show(id)).events).toEqual(['pet.deleted']);
    },
  );

  test('without a list of events subscribes to everything that its key may read', async () => {
    const { key } = await issue(['webhooks:write', 'orders:read']);
    const { status, body } = await create(key, {});
    expect(status).toBe(201);
    expect(body.events).toEqual([
      ...['order.placed', 'order.approved', 'order.delivered', 'order.cancelled', 'order.expired'],
    ]);
    const none = await issue(['webhooks:write']);
    expectError(await create(none.key, {}), 'insufficient_scope', 403);
  });

  test('cannot be redirected by a key that may not read its events', async () => {
    const { id } = await bench.add({ events: ['pet.created'] }, shop);
    const { key } = await issue(['webhooks:write', 'pets:read']);
    const url = bench.receiver.url('/mine');
    const response = await change(id, { url }, key);
    expectError(response, 'insufficient_scope', 403);
    // If events are redelivered, the new URL could receive every event that the webhook's key may read. The caller
    // therefore needs the scopes for all of these events.
    expect(response.body.message).toContain('orders:read');
    expect((await change(id, { url }, shop)).status).toBe(200);

    const owner = await issue(ALL);
    const asking = await bench.add({ events: ['order.placed'] }, owner.key);
    // The webhook's key may regain the removed scope later, so changing the URL still requires that scope.
    await changeKey(owner.id, { scopes: ['webhooks:write', 'pets:read'] });
    expectError(await change(asking.id, { url }, key), 'insufficient_scope', 403);
  });
});

describe('a webhook whose key loses a scope', () => {
  test('gets no more events of that scope, and still gets the rest', async () => {
    const [{ key, id: keyId }, witness] = [await issue(ALL), await bench.add({}, shop)];
    const { path } = await bench.add({ events: ['order.placed', 'pet.created'] }, key);
    await order();
    await waitFor('both events arrive', () => types(path).length === 2);
    await changeKey(keyId, { scopes: ['webhooks:write', 'pets:read'] });
    await order();
    await settle(witness.path);
    await waitFor('the rest arrives', () => types(path).filter((type) => type === 'pet.created').length === 3);
    expect(types(path).filter((type) => type === 'order.placed')).toHaveLength(1);
    await changeKey(keyId, { scopes: ALL });
    await order();
    await waitFor('the event arrives again', () => types(path).filter((type) => type === 'order.placed').length === 2);
  });

  test('gets no retries or redeliveries of that scope, and the log shows the reason', async () => {
    const { key, id: keyId } = await issue(ALL);
    const { id, path } = await bench.add({ events: ['order.placed'] }, key);
    bench.receiver.respond(() => refuse());
    await order();
    const [failed] = await waitFor(
      'an attempt has failed',
      () => deliveries(id),
      (all) => all[0]?.attempt === 1,
    );
    await changeKey(keyId, { scopes: ['webhooks:write', 'pets:read'] });
    bench.receiver.respond(fine);
    bench.clock.set(failed.nextAttemptAt);
    await bench.service.runJobs();
    const why = "not sent: the webhook's key lacks the `orders:read` scope, which order.placed events require";
    const givenUp = { id: failed.id, attempt: 1, state: 'failed', responseStatus: null, nextAttemptAt: null };
    const isGivenUp = ([one]: any[]) => one.state === 'failed';
    const kept = await waitFor('the retry is cancelled', () => deliveries(id), isGivenUp);
    expect(kept).toMatchObject([{ ...givenUp, responseBody: why }]);

    const redeliver = () =>
      bench.service.call('POST', `/v1/webhooks/${id}/deliveries/${failed.id}/redeliver`, { key: operator });
    expect((await redeliver()).body).toMatchObject({ state: 'pending', attempt: 0 });
    await bench.service.runJobs();
    expect(await waitFor('the redelivery is cancelled', () => deliveries(id), isGivenUp)).toMatchObject([
      { attempt: 0, responseBody: why },
    ]);
    expect(bench.receiver.at(path)).toHaveLength(1);

    await changeKey(keyId, { scopes: ALL });
    await redeliver();
    await bench.service.runJobs();
    await bench.receiver.until(path, 2);
  });

  test('can still be tested, with an event about itself only', async () => {
    const { key, id: keyId } = await issue(ALL);
    const { id, path } = await bench.add({ events: ['order.placed'] }, key);
    await changeKey(keyId, { scopes: ['webhooks:write'] });
    expect((await bench.service.call('POST', `/v1/webhooks/${id}/test`, { key })).status).toBe(200);
    const [arrived] = await bench.receiver.until(path, 1);
    expect(arrived).toMatchObject({ type: 'webhook.test', petId: id as never });
  });
});

describe('a webhook whose key ends', () => {
  const ends: [string, (keyId: string) => Promise<unknown>][] = [
    ['is revoked', revoke],
    ['expires', async () => bench.clock.advance(60_000)],
  ];
  const issueEnding = () => issue(ALL, { expiresAt: new Date(bench.clock() + 60_000).toISOString() });

  test.each(ends)(
    'because it %s gets nothing more, not even pending deliveries, and shows the reason',
    async (_, end) => {
      const [{ key, id: keyId }, witness] = [await issueEnding(), await bench.add({}, shop)];
      const { id, path } = await bench.add({}, key);
      bench.receiver.respond((it) => (it.path === path ? refuse() : fine()));
      await createPet('before');
      await waitFor('an attempt has failed', async () => (await deliveries(id))[0]?.attempt === 1);
      await end(keyId);
      bench.receiver.respond(fine);
      await createPet('after');
      await settle(witness.path);
      bench.clock.advance(60_000);
      const off = await waitFor(
        'the webhook is disabled',
        async () => {
          await bench.service.runJobs();
          return show(id);
        },
        ({ enabled }) => !enabled,
      );
      expect(off.disabledReason).toBe('key_ended');
      expect(bench.receiver.at(path)).toHaveLength(1);
      expect((await deliveries(id)).map(({ state }) => state)).not.toContain('pending');
      const [event] = (await bench.service.get('/v1/events?type=webhook.disabled', { key: operator })).body;
      expect(event.data).toMatchObject({ object: { id, disabledReason: 'key_ended' }, previous: { enabled: true } });
      expect(event.actor).toBeNull();
    },
  );

  test('gets no event from after the revocation', async () => {
    const [{ key, id: keyId }, witness] = [await issue(ALL), await bench.add({}, shop)];
    const { path } = await bench.add({}, key);
    for (let count = 0; count < 5; count += 1) await createPet('before');
    await revoke(keyId);
    const after = new Set<number>();
    for (let count = 0; count < 5; count += 1) after.add(await createPet('after'));
    await settle(witness.path);
    // Checks only events after the revocation, because attempts that started earlier may still arrive.
    expect(bench.receiver.at(path).filter(({ petId }) => after.has(petId))).toEqual([]);
  });

  test('gets no events until an operator gives it a new key, and then only later ones', async () => {
    const { key, id: keyId } = await issue(ALL);
    const { id, path } = await bench.add({ events: ['pet.created'] }, key);
    await revoke(keyId);
    const isOff = async () => {
      await bench.service.runJobs();
      return (await show(id)).disabledReason === 'key_ended';
    };
    await waitFor('the webhook is disabled', isOff);
    const enabled = await change(id, { enabled: true });
    expectError(enabled, 'invalid_status_transition', 409);
    expect(enabled.body.message).toContain('keyId');
    await createPet('unheard');

    const heir = await issue(ALL);
    const adopted = await change(id, { keyId: heir.id }, operator);
    expect(adopted.body).toMatchObject({ id, enabled: true, disabledReason: null });
    const heard = await createPet('heard');
    const arrived = await bench.receiver.until(path, 1);
    expect(arrived.map(({ petId }) => petId)).toEqual([heard]);
    const [event] = (await bench.service.get('/v1/events?type=webhook.updated', { key: operator })).body;
    expect(event.data).toMatchObject({ object: { keyId: heir.id }, previous: { keyId, enabled: false } });
  });
});

describe('the key of a webhook', () => {
  test('can be changed only with keys:write', async () => {
    const { id } = await bench.add({}, shop);
    const heir = await issue(ALL);
    const response = await change(id, { keyId: heir.id });
    expectError(response, 'insufficient_scope', 403);
    expect(response.body.message).toStartWith(
      'The API key lacks the `keys:write` scope, which is needed to change `keyId`.',
    );
  });

  test('must be a valid key of the same store that may read the subscribed events', async () => {
    const { id } = await bench.add({ events: ['order.placed'] }, shop);
    const [elsewhere, revoked, narrow] = [
      await issue(ALL, { storeId: STORE + 1 }),
      await issue(ALL),
      await issue(['pets:read']),
    ];
    await revoke(revoked.id);
    const refused: [string, string, number, string][] = [
      [elsewhere.id, 'invalid_request', 400, 'keyId: must be the id of a key in this store'],
      [`key_${'0'.repeat(24)}`, 'invalid_request', 400, 'keyId: must be the id of a key in this store'],
      ['key_nobody', 'invalid_request', 400, 'keyId: must be the identifier of a key'],
      [revoked.id, 'invalid_request', 400, 'keyId: must be the id of a key that is not revoked or expired'],
      [
        narrow.id,
        'insufficient_scope',
        403,
        `Key ${narrow.id} lacks the \`orders:read\` scope, which order.placed events require. Leave out these events, or use a key with that scope.`,
      ],
    ];
    for (const [keyId, code, status, message] of refused) {
      const response = await change(id, { keyId }, operator);
      expectError(response, code, status);
      expect(response.body.message).toBe(message);
    }
    expect((await change(id, { keyId: narrow.id, events: ['pet.created'] }, operator)).status).toBe(200);
  });

  test('determines whether the webhook belongs to the operator', async () => {
    const { id } = await bench.add({}, shop);
    const seen = async () => (await bench.service.get(`/v1/webhooks/${id}`, { key: shop })).status;
    const [above, plain] = [await issue([...ALL, 'keys:write']), await issue(ALL)];
    await change(id, { keyId: above.id }, operator);
    expect(await seen()).toBe(404);
    await change(id, { keyId: plain.id }, operator);
    expect(await seen()).toBe(200);
  });
});
