import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { createWorkbench } from '../../../test/program.ts';
import { ADMIN_KEY, type Service, startService } from '../../../test/service.ts';
import { createShop, type Shop } from '../../../test/shop.ts';
import { waitFor } from '../../../test/wait-for.ts';

const HOLD_MS = 3_600_000;

let service: Service;
let shop: Shop;
beforeAll(async () => {
  service = await startService();
  shop = createShop(service);
});
afterAll(() => service.stop());

const orderOf = async (orderId: number) => (await service.get(`/v1/store/orders/${orderId}`)).body;

describe('the hold of an order', () => {
  test('lasts until the last millisecond before it ends', async () => {
    const { orderId, petId } = await shop.placed();
    service.clock.advance(HOLD_MS - 1);
    await service.runJobs();
    expect((await orderOf(orderId)).status).toBe('placed');
    expect((await shop.pet(petId)).status).toBe('pending');
    expect((await shop.move(orderId, 'approve')).status).toBe(200);
  });

  test('refuses an approval from the moment it ends, even before the job runs', async () => {
    const { orderId, petId } = await shop.placed();
    service.clock.advance(HOLD_MS);
    expectError(await shop.move(orderId, 'approve'), 'invalid_status_transition', 409);
    expect((await orderOf(orderId)).status).toBe('placed');
    expectError(await shop.order(petId), 'pet_not_available', 409);
    expect((await shop.move(orderId, 'cancel')).body.status).toBe('cancelled');
  });

  test('is ended by the job, which releases the pet', async () => {
    const { orderId, petId } = await shop.placed();
    const before = await orderOf(orderId);
    service.clock.advance(HOLD_MS);
    await service.runJobs();
    expect(await orderOf(orderId)).toEqual({
      ...before,
      status: 'expired',
      updatedAt: before.expiresAt,
      expiresAt: null,
    });
    expect(await shop.pet(petId)).toMatchObject({ status: 'available', version: '"3"' });
    expect((await shop.order(petId)).status).toBe(201);
  });

  test('writes events without an actor, the order first', async () => {
    const { orderId, petId } = await shop.placed();
    service.clock.advance(HOLD_MS + 7);
    await service.runJobs();
    const own = { order_id: orderId, actor_key_id: null, request_id: null };
    expect((await shop.events(`order_id = ${orderId}`)).slice(2)).toMatchObject([
      { ...own, type: 'order.expired', pet_id: petId, data: { object: { status: 'expired', expiresAt: null } } },
      { ...own, type: 'pet.status_changed', pet_id: petId, data: { previous: { status: 'pending' } } },
    ]);
  });

  test('ends once, no matter how often the job runs', async () => {
    const { orderId } = await shop.placed();
    service.clock.advance(HOLD_MS);
    await Promise.all([service.runJobs(), service.runJobs()]);
    await service.runJobs();
    expect(await shop.events(`order_id = ${orderId} AND type = 'order.expired'`)).toHaveLength(1);
  });

  test('does not apply to approved, delivered or cancelled orders', async () => {
    const orders = await Promise.all([shop.placed(), shop.placed(), shop.placed()]);
    const [approved, delivered, cancelled] = orders.map(({ orderId }) => orderId) as [number, number, number];
    for (const orderId of [approved, delivered]) await shop.move(orderId, 'approve');
    await shop.move(delivered, 'deliver');
    await shop.move(cancelled, 'cancel');
    service.clock.advance(2 * HOLD_MS);
    await service.runJobs();
    const statuses = await Promise.all(orders.map(async ({ orderId }) => (await orderOf(orderId)).status));
    expect(statuses).toEqual(['approved', 'delivered', 'cancelled']);
    expect((await shop.pet(orders[0]?.petId as number)).status).toBe('pending');
  });

  test('ends for every order of every store in one run', async () => {
    const key = await service.issueKey({ storeId: 2, plan: 'enterprise', limits: { perMinute: 1e6, perDay: 1e6 } });
    const pets = Array.from({ length: 650 }, () => ({ name: 'Rex', categoryId: 1 }));
    for (const ask of [{}, { key }]) {
      const { body } = await service.post('/v1/pets/batch', { pets }, ask);
      const ids = body.map(({ id }: { id: number }) => id);
      // Places only ten orders at a time; otherwise, some would wait too long for a database connection and be refused.
      for (let placed = 0; placed < ids.length; placed += 10) {
        const answers = await Promise.all(ids.slice(placed, placed + 10).map((id: number) => shop.order(id, ask)));
        expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
      }
    }
    service.clock.advance(HOLD_MS);
    await service.runJobs();
    for (const ask of [{}, { key }]) {
      expect((await service.get('/v1/store/orders?status=placed', ask)).body).toEqual([]);
      expect((await service.get('/v1/store/inventory', ask)).body.available).toBeGreaterThanOrEqual(650);
    }
  });

  test('survives a restart', async () => {
    const { orderId, petId } = await shop.placed();
    const before = await orderOf(orderId);
    await service.restart();
    expect(await orderOf(orderId)).toEqual(before);
    service.clock.advance(HOLD_MS);
    await service.runJobs();
    expect((await orderOf(orderId)).status).toBe('expired');
    expect((await shop.pet(petId)).status).toBe('available');
  });
});

describe('the program', () => {
  const bench = createWorkbench();
  afterAll(bench.clear);

  test('releases the pet after the hold ends, even after a kill', async () => {
    const directory = bench.directory();
    const environment = { PETSTORE_ADMIN_KEY: ADMIN_KEY, PETSTORE_ORDER_HOLD_SECONDS: '1' };
    const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
    const start = async () => {
      const program = bench.start({ directory, environment });
      return { program, origin: await program.origin() };
    };
    const ask = async (origin: string, path: string, body?: object): Promise<any> => {
      const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
      return (await fetch(`${origin}/v1${path}`, { headers, ...sent })).json();
    };

    const first = await start();
    const { id: petId } = await ask(first.origin, '/pets', { name: 'Rex', categoryId: 1 });
    const order = await ask(first.origin, '/store/orders', { petId });
    first.program.signal('SIGKILL');
    await first.program.ended();

    const { origin } = await start();
    const expired = await waitFor(
      'the order is expired',
      () => ask(origin, `/store/orders/${order.id}`),
      ({ status }) => status === 'expired',
    );
    expect(Date.parse(expired.updatedAt)).toBeGreaterThanOrEqual(Date.parse(order.expiresAt));
    expect((await ask(origin, `/pets?ids=${petId}`))[0].status).toBe('available');
  });
});
