import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { followPages, relations } from '../../../test/follow-pages.ts';
import { type Service, startService, type TestResponse } from '../../../test/service.ts';

let service: Service;
let ids: number[];

beforeAll(async () => {
  service = await startService();
  ids = [];
  for (let index = 0; index < 12; index += 1) {
    const { body } = await service.post('/v1/pets', {
      name: `Pet ${index}`,
      categoryId: 1 + (index % 3),
      status: (['available', 'pending', 'available', 'sold'] as const)[index % 4],
    });
    ids.push(body.id);
  }
});
afterAll(() => service.stop());

const shown = ({ body }: TestResponse): number[] => body.map((pet: { id: number }) => pet.id);

const follow = (path: string): Promise<TestResponse[]> => followPages(service, path);

describe('listPets', () => {
  test('lists every pet by ascending id', async () => {
    const answer = await service.get('/v1/pets');
    expect(answer.status).toBe(200);
    expect(shown(answer)).toEqual(ids);
  });

  test('lists by descending id with order=desc', async () => {
    expect(shown(await service.get('/v1/pets?order=desc'))).toEqual(ids.toReversed());
  });

  test('returns 20 pets by default', async () => {
    const key = await service.issueKey({ storeId: 20 });
    for (let index = 0; index < 21; index += 1) {
      await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key });
    }
    expect(shown(await service.get('/v1/pets', { key }))).toHaveLength(20);
  });

  test('combines all filters', async () => {
    const wanted = ids.filter((_, index) => index % 4 === 0 && index % 3 === 0);
    expect(shown(await service.get('/v1/pets?status=available&categoryId=1&order=asc'))).toEqual(
      ids.filter((_, index) => index % 2 === 0 && index % 3 === 0),
    );
    expect(shown(await service.get(`/v1/pets?status=available&categoryId=1&ids=${wanted.join(',')}`))).toEqual(wanted);
  });

  test('accepts an int64 category with all its digits', async () => {
    const { body } = await service.post('/v1/pets', '{"name":"Far","categoryId":-9223372036854775808}');
    expect(shown(await service.get('/v1/pets?categoryId=-9223372036854775808'))).toEqual([body.id]);
    ids.push(body.id);
  });

  test('ignores unknown ids and duplicates', async () => {
    expect(shown(await service.get(`/v1/pets?ids=${ids[1]},${ids[0]},${ids[1]},999999,-5`))).toEqual(ids.slice(0, 2));
  });

  test('accepts 100 ids and no more', async () => {
    const many = Array.from({ length: 100 }, (_, index) => index + 1);
    expect((await service.get(`/v1/pets?ids=${many.join(',')}`)).status).toBe(200);
    const { status, body } = await service.get(`/v1/pets?ids=${[...many, 101].join(',')}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_parameter', message: expect.stringContaining('ids') });
  });

  const spellings: [string, (a: number, b: number, c: number) => string][] = [
    ['with commas', (a, b, c) => `ids=${a},${b},${c}`],
    ['repeated', (a, b, c) => `ids=${c}&ids=${a}&ids=${b}`],
    ['repeated and with commas', (a, b, c) => `ids=${a},${b}&status=available&ids=${c}`],
    ['with brackets', (a, b, c) => `ids[]=${c}&ids[]=${a}&ids%5B%5D=${b}`],
    ['repeated, encoded and with duplicates', (a, b, c) => `ids=${a}%2C${b}&ids=${a}&%69ds=${c}`],
  ];
  test.each(spellings)('accepts ids %s', async (_, spell) => {
    const [a, , b, , c] = ids as [number, number, number, number, number];
    expect(shown(await service.get(`/v1/pets?${spell(a, b, c)}`))).toEqual([a, b, c]);
  });

  test('accepts 100 repeated ids and no more', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `ids=${index + 1}`);
    expect((await service.get(`/v1/pets?${many.join('&')}`)).status).toBe(200);
    const { status, body } = await service.get(`/v1/pets?${many.join('&')}&ids=1`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_parameter', message: expect.stringContaining('ids') });
  });

  const faults = [
    ...['limit=0', 'limit=101', 'limit=-1', 'limit=1.0', 'limit=020', 'limit=', 'limit=ten', 'limit=2&limit=2'],
    ...['status=Available', 'status=', 'status=available,sold', 'status=sold&status=sold', 'order=up', 'order='],
    ...['categoryId=007', 'categoryId=+7', 'categoryId=1e2', 'categoryId=9223372036854775808', 'categoryId='],
    ...[
      'ids=',
      'ids=1,',
      'ids=1,,2',
      'ids=a',
      'ids=1&ids=',
      'ids=1&ids=a',
      'ids=&ids=1',
      'ids=1;2',
      'status=%ff',
      'limit=%',
    ],
  ];
  test.each(faults)('refuses ?%s and names the parameter', async (query) => {
    const { status, body } = await service.get(`/v1/pets?${query}`);
    expect(status).toBe(400);
    expect(body.code).toBe('invalid_parameter');
    expect(body.message).toStartWith(`${query.slice(0, query.indexOf('='))}: `);
  });
});

describe('paging', () => {
  test.each([1, 2, 5, 12, 13, 100])('returns every pet exactly once with limit=%d', async (limit) => {
    const pages = await follow(`/v1/pets?limit=${limit}`);
    expect(pages.flatMap(shown)).toEqual(ids);
    expect(pages.every((page) => shown(page).length <= limit)).toBeTrue();
  });

  test('keeps the caller’s own limit, filters and order in the links', async () => {
    const first = await service.get('/v1/pets?order=desc&status=available&limit=2');
    const { next = '', first: start } = relations(first);
    expect(start).toBe(service.url('/v1/pets?order=desc&status=available&limit=2'));
    expect(next).toStartWith(`${start}&cursor=`);
  });

  test('joins repeated ids with commas in the links, and continues from either form', async () => {
    const [a, b] = ids as [number, number];
    const { next = '', first } = relations(await service.get(`/v1/pets?ids=${b}&limit=1&ids=${a}`));
    expect(first).toBe(service.url(`/v1/pets?ids=${b},${a}&limit=1`));
    expect(next).toStartWith(`${first}&cursor=`);
    const cursor = next.slice(next.indexOf('cursor='));
    expect(shown(await service.get(`/v1/pets?ids=${a}&ids=${b}&limit=1&${cursor}`))).toEqual([b]);
    expect(shown(await service.get(`/v1/pets?ids=${a},${b}&limit=1&${cursor}`))).toEqual([b]);
  });

  test('has no next link on the last page', async () => {
    expect(Object.keys(relations((await follow('/v1/pets?limit=5')).at(-1) as TestResponse))).toEqual(['first']);
  });

  test('has no next link if the last page is exactly full', async () => {
    expect(relations(await service.get(`/v1/pets?limit=2&ids=${ids[0]},${ids[1]}`)).next).toBeUndefined();
  });

  test('lets the limit change between pages', async () => {
    const { next = '' } = relations(await service.get('/v1/pets?limit=2'));
    const cursor = new URL(next).searchParams.get('cursor');
    expect(shown(await service.get(`/v1/pets?limit=3&cursor=${cursor}`))).toEqual(ids.slice(2, 5));
  });

  test('does not repeat or skip a row if pets are added between pages', async () => {
    const { next = '' } = relations(await service.get('/v1/pets?limit=5'));
    const { body } = await service.post('/v1/pets', { name: 'Late', categoryId: 1 });
    ids.push(body.id);
    const rest = await follow(next.slice(service.url('').length));
    expect(rest.flatMap(shown)).toEqual(ids.slice(5));
  });

  test.each(['&order=desc', '&status=sold', '&categoryId=1', '&ids=1'])(
    'refuses a cursor used with another filter or order (%s)',
    async (change) => {
      const { next = '' } = relations(await service.get('/v1/pets?limit=2'));
      const cursor = new URL(next).searchParams.get('cursor');
      const { status, body } = await service.get(`/v1/pets?cursor=${cursor}${change}`);
      expect(status).toBe(400);
      expect(body.code).toBe('invalid_cursor');
    },
  );

  test('accepts a cursor with the same ids in another order', async () => {
    const { next = '' } = relations(await service.get(`/v1/pets?limit=1&ids=${ids[0]},${ids[1]}`));
    const cursor = new URL(next).searchParams.get('cursor');
    expect(shown(await service.get(`/v1/pets?limit=1&ids=${ids[1]},${ids[0]}&cursor=${cursor}`))).toEqual(
      ids.slice(1, 2),
    );
  });

  test('builds links with the public URL if one is set', async () => {
    const behindProxy = await startService({ environment: { PETSTORE_PUBLIC_URL: 'https://pets.example/shop/' } });
    const answer = await behindProxy.get('/v1/pets?limit=2');
    expect(relations(answer).first).toBe('https://pets.example/shop/v1/pets?limit=2');
    await behindProxy.stop();
  });
});

describe('conditional reads of a list with one id', () => {
  test('return the ETag of that pet, and 304 if the caller has that version', async () => {
    const path = `/v1/pets?ids=${ids[0]}`;
    expect((await service.get(path)).headers.get('etag')).toBe('"1"');
    expect((await service.get(`${path}&ids=${ids[0]}`)).headers.get('etag')).toBe('"1"');
    const again = await service.get(path, { headers: { 'If-None-Match': '"1"' } });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
  });

  test('return no ETag with several ids or an unknown id', async () => {
    expect((await service.get(`/v1/pets?ids=${ids[0]},${ids[1]}`)).headers.get('etag')).toBeNull();
    expect((await service.get('/v1/pets?ids=999999')).headers.get('etag')).toBeNull();
  });
});
