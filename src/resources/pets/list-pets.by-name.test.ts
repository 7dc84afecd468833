import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { followPages, relations, rowsOf } from '../../../test/follow-pages.ts';
import { type Service, STAGING, startService, type TestResponse } from '../../../test/service.ts';
import { encodeCursor } from '../../http/input/cursor.ts';

const NAMES = ['anna', 'Bo', 'REX', 'Rex', 'rex', 'Rexi', 'ﬁnn', 'ΝΊΚΟΣ', '犬'].sort((a, b) =>
  Buffer.compare(Buffer.from(a.normalize('NFKC').toLowerCase()), Buffer.from(b.normalize('NFKC').toLowerCase())),
);

let service: Service;
beforeAll(async () => {
  service = await startService();
  const last = NAMES.filter((name) => name.toLowerCase() === 'rex');
  const pets = [...NAMES.filter((name) => !last.includes(name)).reverse(), ...last];
  for (const name of pets) {
    const status = NAMES.indexOf(name) % 2 ? 'sold' : 'available';
    await service.post('/v1/pets', { name, categoryId: 1 + (NAMES.indexOf(name) % 3), status });
  }
});
afterAll(() => service.stop());

const names = ({ body }: TestResponse): string[] => body.map((pet: { name: string }) => pet.name);
const listed = async (query: string) => names(await service.get(`/v1/pets?${query}`));

describe('listPets by name', () => {
  test('lists by folded name and then by id, in both orders', async () => {
    expect(await listed('sort=name')).toEqual(NAMES);
    expect(await listed('sort=name&order=desc')).toEqual(NAMES.toReversed());
  });

  test('lists by id with sort=id', async () => {
    expect(await listed('sort=id')).toEqual(names(await service.get('/v1/pets')));
  });

  test.each([
    ['re', ['REX', 'Rex', 'rex', 'Rexi']],
    ['RE', ['REX', 'Rex', 'rex', 'Rexi']],
    ['rexi', ['Rexi']],
    ['ex', []],
    ['Fi', ['ﬁnn']],
    ['ﬁn', ['ﬁnn']],
    ['νίκος', ['ΝΊΚΟΣ']],
    ['νι\u0301', ['ΝΊΚΟΣ']],
    ['犬', ['犬']],
    ['%', []],
    ['_ex', []],
  ])('returns the pets that begin with name=%s', async (prefix, found) => {
    expect(await listed(`name=${encodeURIComponent(prefix)}`)).toEqual(found);
    expect(await listed(`sort=name&order=desc&name=${encodeURIComponent(prefix)}`)).toEqual(found.toReversed());
  });

  test('combines with all filters', async () => {
    const sold = NAMES.filter((_, index) => index % 2 === 1);
    expect(await listed('sort=name&status=sold')).toEqual(sold);
    expect(await listed('sort=name&status=sold&categoryId=2')).toEqual(
      sold.filter((name) => NAMES.indexOf(name) % 3 === 1),
    );
    const { body } = await service.get('/v1/pets?name=re&status=sold');
    const [pet] = body;
    expect(body.length).toBeGreaterThan(0);
    expect(await listed(`name=RE&status=sold&ids=${pet.id},999999`)).toEqual([pet.name]);
    expect((await service.get(`/v1/pets?name=re&ids=${pet.id}`)).headers.get('etag')).toBe('"1"');
    expect(await listed(`name=bo&ids=${pet.id}`)).toEqual([]);
  });

  test('compares the first 64 characters of a name', async () => {
    const key = await service.issueKey({ storeId: 64 });
    const long = 'Long'.repeat(40);
    const { body } = await service.post('/v1/pets', { name: long, categoryId: 1 }, { key });
    await service.post('/v1/pets', { name: long.slice(0, 63), categoryId: 1 }, { key });
    for (const length of [64, 65, 160]) {
      const response = await service.get(`/v1/pets?name=${long.slice(0, length).toUpperCase()}`, { key });
      expect(response.body).toEqual([body]);
    }
  });

  test('finds a pet by its new name immediately', async () => {
    const key = await service.issueKey({ storeId: 65 });
    const { body } = await service.post('/v1/pets/batch', { pets: [{ name: 'Old', categoryId: 1 }] }, { key });
    const found = async (name: string) => (await service.get(`/v1/pets?name=${name}`, { key })).body.length;
    for (let round = 0; round < 3; round += 1) expect([await found('old'), await found('new')]).toEqual([1, 0]);
    await service.call('PATCH', `/v1/pets/${body[0].id}`, { key, body: { name: 'NEW' } });
    expect([await found('old'), await found('new')]).toEqual([0, 1]);
  });

  test.each([
    ...[
      'name=',
      'name',
      'name=%20',
      'name=a%00',
      'name=%ED%A0%80',
      'name=%ff',
      'name=a&name=a',
      `name=${'a'.repeat(256)}`,
    ],
    ...['sort=', 'sort=Name', 'sort=status', 'sort=name&sort=name', 'sort=id&name=re'],
  ])('refuses ?%s and names the parameter', async (query) => {
    const { status, body } = await service.get(`/v1/pets?${query}`);
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    expect(body.message).toStartWith(`${/^\w+/.exec(query)?.[0]}: `);
  });
});

describe('paging by name', () => {
  test.each([1, 2, 3, 8, 9, 100])('returns every pet exactly once with limit=%d', async (limit) => {
    for (const query of [
      'sort=name',
      'name=re',
      'sort=name&order=desc',
      'name=re&order=desc',
      'sort=name&status=sold',
      'sort=name&categoryId=2',
    ]) {
      const pages = await followPages(service, `/v1/pets?${query}&limit=${limit}`);
      expect(rowsOf(pages).map(({ name }) => name)).toEqual(await listed(query));
    }
  });

  test('keeps the parameters in the links', async () => {
    const response = await service.get('/v1/pets?sort=name&name=r%C3%89&limit=2');
    expect(relations(response).first).toBe(service.url('/v1/pets?sort=name&name=r%C3%89&limit=2'));
    const { next = '', first } = relations(await service.get('/v1/pets?name=RE&limit=2'));
    expect(next).toStartWith(`${first}&cursor=`);
    expect(first).toBe(service.url('/v1/pets?name=RE&limit=2'));
  });

  const cursorOf = async (query: string): Promise<string> =>
    new URL(relations(await service.get(`/v1/pets?${query}&limit=1`)).next ?? '').searchParams.get('cursor') ?? '';

  test.each([
    ['sort=name', ''],
    ['sort=name', 'sort=id'],
    ['sort=name', 'sort=name&order=desc'],
    ['sort=name', 'name=re'],
    ['sort=name', 'sort=name&status=sold'],
    ['name=re', 'name=rex'],
    ['name=re', 'sort=name'],
    ['order=asc', 'sort=name'],
  ])('refuses a cursor from ?%s with ?%s', async (made, used) => {
    const cursor = await cursorOf(made);
    expect((await service.get(`/v1/pets?${made}&cursor=${cursor}`)).status).toBe(200);
    expectError(await service.get(`/v1/pets?${used}&cursor=${cursor}`), 'invalid_cursor', 400);
  });

  test('accepts a cursor with the same prefix in capitals', async () => {
    expect((await service.get(`/v1/pets?name=RE&cursor=${await cursorOf('name=re')}`)).status).toBe(200);
  });

  test.each(['1.anna', '1', '1.', '1.re\0', '.rex', 'x.rex', '9223372036854775808.rex', '1.rf', '007.rex'])(
    'refuses a cursor that points to %j in a list of names that begin with re',
    async (position) => {
      const binding = { list: 'listPets', filters: '{"name":"re"}', order: 'asc' } as const;
      expect((await service.get(`/v1/pets?name=re&cursor=${encodeCursor(binding, '1.rex')}`)).status).toBe(200);
      const response = await service.get(`/v1/pets?name=re&cursor=${encodeCursor(binding, position)}`);
      expectError(response, 'invalid_cursor', 400);
    },
  );
});

describe('the sample pets of staging', () => {
  test('are listed by name', async () => {
    const staging = await startService({ environment: STAGING });
    const { key } = (await staging.post('/v1/keys', { name: 'samples', plan: 'pro' })).body;
    const samples = rowsOf(await followPages(staging, '/v1/pets?sort=name&limit=50', { key }));
    const folded = samples.map(({ name }) => name.normalize('NFKC').toLowerCase());
    expect(samples.length).toBeGreaterThan(50);
    expect(folded).toEqual(folded.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    await staging.stop();
  });
});
