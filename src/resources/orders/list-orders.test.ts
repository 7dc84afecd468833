import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { followPages, relations, rowsOf } from '../../../test/follow-pages.ts';
import { type Service, startService } from '../../../test/service.ts';
import { createShop, type Shop } from '../../../test/shop.ts';

type Row = { id: number; petId: number; status: string };

let service: Service;
let shop: Shop;
let petIds: number[];
let orders: Row[];

beforeAll(async () => {
  service = await startService();
  shop = createShop(service);
  petIds = [await shop.addPet(), await shop.addPet(), await shop.addPet()];
  orders = [];
  const place = async (petId: number, ...verbs: string[]) => {
    let { body } = await shop.order(petId);
    for (const verb of verbs) body = (await shop.move(body.id, verb)).body;
    orders.push(body);
  };
  for (let turn = 0; turn < 10; turn += 1) await place(petIds[turn % 2] as number, 'cancel');
  await place(petIds[2] as number, 'approve', 'deliver');
  await place(petIds[0] as number, 'approve');
  await place(petIds[1] as number);
});
afterAll(() => service.stop());

const list = (query = '') => service.get(`/v1/store/orders${query}`);

describe('listOrders', () => {
  test('lists every order by ascending id, with its current status', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual(orders);
  });

  test('lists by descending id with order=desc', async () => {
    expect((await list('?order=desc')).body).toEqual(orders.toReversed());
  });

  const filters: [string, (order: Row) => boolean][] = [
    ['status=placed', ({ status }) => status === 'placed'],
    ['status=approved', ({ status }) => status === 'approved'],
    ['status=delivered', ({ status }) => status === 'delivered'],
    ['status=cancelled', ({ status }) => status === 'cancelled'],
    ['status=expired', () => false],
  ];
  test.each(filters)('applies ?%s to all pages, in both orders', async (query, isWanted) => {
    const wanted = orders.filter(isWanted);
    expect(rowsOf(await followPages(service, `/v1/store/orders?limit=3&${query}`))).toEqual(wanted);
    expect(rowsOf(await followPages(service, `/v1/store/orders?limit=3&${query}&order=desc`))).toEqual(
      wanted.toReversed(),
    );
  });

  test('filters by pet, alone and combined with a status', async () => {
    for (const petId of petIds) {
      const own = orders.filter((order) => order.petId === petId);
      expect(rowsOf(await followPages(service, `/v1/store/orders?limit=2&petId=${petId}`))).toEqual(own);
      for (const status of ['placed', 'approved', 'delivered', 'cancelled']) {
        const pages = await followPages(service, `/v1/store/orders?limit=2&petId=${petId}&status=${status}`);
        expect(rowsOf(pages)).toEqual(own.filter((order) => order.status === status));
      }
    }
  });

  test('returns an empty list for a pet that has no orders or does not exist', async () => {
    for (const petId of ['999999', '-9223372036854775808', '9223372036854775807']) {
      const { status, body } = await list(`?petId=${petId}`);
      expect([status, body]).toEqual([200, []]);
    }
  });

  test('keeps limit and filters in its links, and has no next link on the last page', async () => {
    const query = `?limit=2&status=cancelled&petId=${petIds[0]}`;
    const pages = await followPages(service, `/v1/store/orders${query}`);
    expect(pages).toHaveLength(3);
    expect(relations(pages[0] as (typeof pages)[0]).next).toStartWith(
      `${service.url(`/v1/store/orders${query}`)}&cursor=`,
    );
    expect(Object.keys(relations(pages[2] as (typeof pages)[0]))).toEqual(['first']);
  });

  test.each(['&status=placed', '&petId=1', '&order=desc'])(
    'refuses a cursor used with another filter (%s)',
    async (add) => {
      const { next = '' } = relations(await list('?limit=2'));
      const cursor = new URL(next).searchParams.get('cursor');
      expectError(await list(`?limit=2&cursor=${cursor}${add}`), 'invalid_cursor', 400);
    },
  );

  test.each([
    ...['status=Placed', 'status=', 'status=placed,approved', 'status=placed&status=placed', 'status=sold'],
    ...['petId=007', 'petId=', 'petId=1,2', 'petId=9223372036854775808', 'petId=-9223372036854775809', 'petId=1.0'],
    ...['limit=0', 'limit=101', 'order=up'],
  ])('refuses ?%s and names the parameter', async (query) => {
    const answer = await list(`?${query}`);
    expectError(answer, 'invalid_parameter', 400);
    expect(answer.body.message).toStartWith(`${query.slice(0, query.indexOf('='))}: `);
  });

  test('shows the orders of the caller’s own store only', async () => {
    const key = await service.issueKey({ storeId: 2 });
    expect((await service.get('/v1/store/orders', { key })).body).toEqual([]);
    expect((await service.get(`/v1/store/orders?petId=${petIds[0]}`, { key })).body).toEqual([]);
  });
});

describe('orders by time', () => {
  const HOUR_MS = 3_600_000;
  let key: string;
  let start: number;
  const iso = (at: number) => new Date(at).toISOString();
  const ids = async (query: string) =>
    (await service.get(`/v1/store/orders?${query}`, { key })).body.map(({ id }: Row) => id);
  beforeAll(async () => {
    key = await service.issueKey({ storeId: 5 });
    start = service.clock();
    // Of the six orders, 1 to 3 are cancelled, 4 is approved, and 5 and 6 stay `placed`.
    for (let count = 0; count < 6; count += 1) {
      const petId = (await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key })).body.id;
      const { id } = (await service.post('/v1/store/orders', { petId }, { key })).body;
      const verb = count < 3 ? 'cancel' : 'approve';
      if (count < 4) await service.post(`/v1/store/orders/${id}/${verb}`, undefined, { key });
      service.clock.advance(HOUR_MS / 10);
    }
  });
  const at = (index: number) => iso(start + (index * HOUR_MS) / 10);

  test('include the start of the time range and exclude its end', async () => {
    expect(await ids(`placedFrom=${at(1)}&placedTo=${at(4)}`)).toEqual([2, 3, 4]);
    expect(await ids(`placedFrom=${at(4)}`)).toEqual([5, 6]);
    expect(await ids(`placedTo=${at(2)}`)).toEqual([1, 2]);
    expect(await ids(`placedFrom=${at(2)}&placedTo=${at(2)}`)).toEqual([]);
  });

  test('can be filtered by status and reversed', async () => {
    expect(await ids(`placedFrom=${at(1)}&status=cancelled`)).toEqual([2, 3]);
    expect(await ids(`placedFrom=${at(1)}&order=desc`)).toEqual([6, 5, 4, 3, 2]);
  });

  test.each(['asc', 'desc'])('are paged in order %s, each exactly once', async (order) => {
    const found: number[] = [];
    let path = `/v1/store/orders?placedFrom=${at(0)}&placedTo=${at(5)}&limit=2&order=${order}`;
    while (path) {
      const answer = await service.get(path, { key });
      found.push(...answer.body.map(({ id }: Row) => id));
      path = (relations(answer).next ?? '').replace(service.url(''), '');
    }
    expect(found).toEqual(order === 'asc' ? [1, 2, 3, 4, 5] : [5, 4, 3, 2, 1]);
  });

  test('cannot also be filtered by pet, and refuse invalid times', async () => {
    expectError(await list(`?petId=1&placedFrom=${at(0)}`), 'invalid_parameter', 400);
    expectError(await list('?placedTo=today'), 'invalid_parameter', 400);
  });
});
