import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { followPages, relations, rowsOf } from '../../../test/follow-pages.ts';
import { type Service, startService, type TestResponse } from '../../../test/service.ts';

const NAMES = ['Rex', 'T-REX', 'Anna', 'ﬁnn the ﬁsh', 'Annabel', 'rexi', '100% Rex'];

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService();
  for (const [index, name] of NAMES.entries()) {
    await service.post('/v1/pets', { name, categoryId: 1 + (index % 2), status: index > 4 ? 'sold' : 'available' });
  }
  key = await service.issueKey({ plan: 'enterprise', limits: { perMinute: 1e6, perDay: 1e6 }, storeId: 2 });
  const pets = Array.from({ length: 1000 }, (_, index) => ({ name: `Filler ${index}`, categoryId: 1 }));
  for (let times = 0; times < 6; times += 1) await service.post('/v1/pets/batch', { pets }, { key });
});
afterAll(() => service.stop());

const names = ({ body }: TestResponse): string[] => body.map((pet: { name: string }) => pet.name);
const listed = async (query: string) => names(await service.get(`/v1/pets?${query}`));

describe('GET /pets?search=', () => {
  test('returns pets whose name contains the text, in any case and Unicode form, sorted by id', async () => {
    expect(await listed('search=REX')).toEqual(['Rex', 'T-REX', 'rexi', '100% Rex']);
    expect(await listed('search=fi')).toEqual(['ﬁnn the ﬁsh']);
    expect(await listed('search=n')).toEqual(['Anna', 'ﬁnn the ﬁsh', 'Annabel']);
    expect(await listed('search=%25')).toEqual(['100% Rex']);
    expect(await listed('search=cat')).toEqual([]);
  });

  test('combines with the sort order and the other filters', async () => {
    expect(await listed('search=rex&order=desc')).toEqual(['100% Rex', 'rexi', 'T-REX', 'Rex']);
    expect(await listed('search=rex&sort=name')).toEqual(['100% Rex', 'Rex', 'rexi', 'T-REX']);
    expect(await listed('search=rex&status=sold')).toEqual(['rexi', '100% Rex']);
    expect(await listed('search=rex&categoryId=2')).toEqual(['T-REX', 'rexi']);
    expect(await listed('search=rex&name=re')).toEqual(['Rex', 'rexi']);
    expect(await listed('search=rex&ids=1,3,6')).toEqual(['Rex', 'rexi']);
  });

  test.each(['search=rex', 'search=rex&sort=name', 'search=rex&sort=name&order=desc'])('pages: %s', async (query) => {
    const pages = await followPages(service, `/v1/pets?${query}&limit=1`);
    expect(pages).toHaveLength(4);
    expect(rowsOf(pages).map(({ name }) => name)).toEqual(await listed(query));
  });

  test('may return an empty page with a next page, but each matching pet exactly once', async () => {
    await service.post('/v1/pets', { name: 'The zq of the far end', categoryId: 1 }, { key });
    const first = await service.get('/v1/pets?search=zq', { key });
    expect(first.body).toEqual([]);
    expect(relations(first).next).toContain('search=zq');
    const found = rowsOf(await followPages(service, '/v1/pets?search=zq', { key }));
    expect(found.map(({ name }) => name)).toEqual(['The zq of the far end']);
  });

  test('finds a rare name of three or more characters on the first page, in a store of any size', async () => {
    await service.post('/v1/pets', { name: 'Zebedee', categoryId: 1 }, { key });
    const found = await service.get('/v1/pets?search=bede', { key });
    expect([names(found), relations(found).next]).toEqual([['Zebedee'], undefined]);
  });

  test('a list of one category by name may also start with an empty page', async () => {
    const pets = Array.from({ length: 1000 }, (_, index) => ({ name: `Late ${index}`, categoryId: 2 }));
    for (const some of [pets, pets, pets.slice(0, 1)]) await service.post('/v1/pets/batch', { pets: some }, { key });
    const first = await service.get('/v1/pets?sort=name&categoryId=2', { key });
    expect([first.status, first.body]).toEqual([200, []]);
    const found = rowsOf(await followPages(service, '/v1/pets?sort=name&categoryId=2&limit=100', { key }));
    expect(new Set(found.map(({ id }) => id)).size).toBe(2001);
    expect(found).toHaveLength(2001);
  });

  test.each(['search=', 'search=%20', `search=${'x'.repeat(256)}`, 'search=a&search=b'])(
    'refuses %s',
    async (query) => {
      expectError(await service.get(`/v1/pets?${query}`), 'invalid_parameter', 400);
    },
  );

  test('refuses a cursor from another search', async () => {
    const { next = '' } = relations(await service.get('/v1/pets?search=rex&limit=1'));
    const other = new URL(next);
    other.searchParams.set('search', 'anna');
    expectError(await service.get(`/v1/pets${other.search}`), 'invalid_cursor', 400);
  });
});
