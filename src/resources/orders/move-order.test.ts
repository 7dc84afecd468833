import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';
import { createShop, type Shop } from '../../../test/shop.ts';

const HOLD_MS = 3_600_000;

let service: Service;
let shop: Shop;
beforeAll(async () => {
  service = await startService();
  shop = createShop(service);
});
afterAll(() => service.stop());

type Status = 'placed' | 'approved' | 'delivered' | 'cancelled' | 'expired';

const ENDS = {
  approve: { to: 'approved', pet: 'pending' },
  deliver: { to: 'delivered', pet: 'sold' },
  cancel: { to: 'cancelled', pet: 'available' },
} as const;
type Verb = keyof typeof ENDS;

const ANIMAL = {
  placed: 'pending',
  approved: 'pending',
  delivered: 'sold',
  cancelled: 'available',
  expired: 'available',
} as const;

const WAYS: Record<Status, Verb[]> = {
  placed: [],
  approved: ['approve'],
  delivered: ['approve', 'deliver'],
  cancelled: ['cancel'],
  expired: [],
};

const orderAt = async (status: Status) => {
  const order = await shop.placed();
  for (const verb of WAYS[status]) await shop.move(order.orderId, verb);
  if (status === 'expired') {
    service.clock.advance(HOLD_MS);
    await service.runJobs();
  }
  expect((await service.get(`/v1/store/orders/${order.orderId}`)).body.status).toBe(status);
  return order;
};

const POSSIBLE: [Verb, Status][] = [
  ['approve', 'placed'],
  ['deliver', 'approved'],
  ['cancel', 'placed'],
  ['cancel', 'approved'],
];
const verbs = Object.keys(ENDS) as Verb[];
const IMPOSSIBLE = (Object.keys(WAYS) as Status[]).flatMap((status) =>
  verbs
    .filter((verb) => !POSSIBLE.some(([possible, from]) => possible === verb && from === status))
    .map((verb): [Verb, Status] => [verb, status]),
);

describe('the life of an order', () => {
  test.each(POSSIBLE)('can %s an order that is %s', async (verb, from) => {
    const { orderId, petId } = await orderAt(from);
    const before = (await service.get(`/v1/store/orders/${orderId}`)).body;
    service.clock.advance(1234);
    const { status, body, headers } = await shop.move(orderId, verb);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      status: ENDS[verb].to,
      updatedAt: new Date(service.clock()).toISOString(),
      expiresAt: null,
    });
    expect(headers.get('location')).toBeNull();
    expect((await service.get(`/v1/store/orders/${orderId}`)).body).toEqual(body);
    expect((await shop.pet(petId)).status).toBe(ENDS[verb].pet);
  });

  test.each(IMPOSSIBLE)('cannot %s an order that is %s, and changes nothing', async (verb, from) => {
    const { orderId, petId } = await orderAt(from);
    const before = [(await service.get(`/v1/store/orders/${orderId}`)).body, await shop.pet(petId)];
    const events = (await shop.events('1 = 1')).length;
    service.clock.advance(1);
    const answer = await shop.move(orderId, verb);
    expectError(answer, 'invalid_status_transition', 409);
    expect(answer.body.message).toContain(from);
    expect([(await service.get(`/v1/store/orders/${orderId}`)).body, await shop.pet(petId)]).toEqual(before);
    expect(await shop.events('1 = 1')).toHaveLength(events);
    expect((await shop.pet(petId)).status).toBe(ANIMAL[from]);
  });

  test.each(verbs)('returns 404 for %s of an order that does not exist', async (verb) => {
    for (const id of ['999999', 'abc', '007', '9223372036854775808']) {
      expectError(await shop.move(id, verb), 'not_found', 404);
    }
  });

  test.each(verbs)('returns 404 for %s of an order in another store', async (verb) => {
    const { orderId } = await orderAt(verb === 'deliver' ? 'approved' : 'placed');
    const key = await service.issueKey({ storeId: 2 });
    expectError(await shop.move(orderId, verb, { key }), 'not_found', 404);
    expect((await shop.move(orderId, verb)).status).toBe(200);
  });

  test('accepts exactly one of many identical concurrent transitions', async () => {
    const { orderId } = await shop.placed();
    const answers = await Promise.all(Array.from({ length: 30 }, () => shop.move(orderId, 'cancel')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(29);
  });
});

describe('the events of an order', () => {
  const eventsOf = async (orderId: number) =>
    (await shop.events(`order_id = ${orderId}`)).map(({ type, pet_id, data }) => ({
      type,
      petId: pet_id,
      status: data.object.status,
      previous: data.previous,
    }));

  test('record every transition, followed by the change of the pet if any', async () => {
    const { orderId, petId } = await shop.placed();
    const [placedAt, expiresAt] = [service.clock(), service.clock() + HOLD_MS].map((at) => new Date(at).toISOString());
    service.clock.advance(1000);
    const approvedAt = new Date(service.clock()).toISOString();
    await shop.move(orderId, 'approve');
    service.clock.advance(1000);
    await shop.move(orderId, 'deliver');
    expect((await eventsOf(orderId)).slice(2)).toEqual([
      {
        type: 'order.approved',
        petId,
        status: 'approved',
        previous: { status: 'placed', updatedAt: placedAt, expiresAt },
      },
      {
        type: 'order.delivered',
        petId,
        status: 'delivered',
        previous: { status: 'approved', updatedAt: approvedAt },
      },
      { type: 'pet.status_changed', petId, status: 'sold', previous: { status: 'pending' } },
    ]);
  });

  test.each(['placed', 'approved'] as const)('record the cancellation of an order that was %s', async (from) => {
    const { orderId, petId } = await orderAt(from);
    await shop.move(orderId, 'cancel');
    expect((await eventsOf(orderId)).slice(-2)).toMatchObject([
      { type: 'order.cancelled', status: 'cancelled', previous: { status: from } },
      { type: 'pet.status_changed', petId, status: 'available', previous: { status: 'pending' } },
    ]);
  });

  test('show the pet with its current name', async () => {
    const { orderId, petId } = await shop.placed();
    await shop.change(petId, { name: 'Bella' });
    await shop.move(orderId, 'cancel');
    expect((await shop.events(`order_id = ${orderId}`)).at(-1)?.data.object).toEqual({
      id: petId,
      name: 'Bella',
      categoryId: 1,
      status: 'available',
    });
  });

  test('have no gap in their sequence after refused requests', async () => {
    const { orderId } = await shop.placed();
    for (const verb of ['deliver', 'approve', 'approve', 'deliver', 'cancel']) await shop.move(orderId, verb);
    const sequences = (await shop.events('store_id = 1')).map(
      (event) => (event as unknown as { sequence: number }).sequence,
    );
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  });
});
