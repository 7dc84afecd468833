import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Caller } from './caller.ts';

const isInt64 = (text: string, field: string) => new RegExp(`"${field}":-?\\d{1,19}[,}]`).test(text);

export const interfaceSuite = (start: () => Promise<Caller & { stop(): Promise<void> }>) => {
  let service: Awaited<ReturnType<typeof start>>;
  let pet: { id: number };
  beforeAll(async () => {
    service = await start();
    pet = (await service.post('/v1/pets', { name: 'Rex', categoryId: 4, status: 'pending' })).body;
  });
  afterAll(() => service.stop());

  describe('What the service does', () => {
    test('1. list animals, optionally filtered by availability status, with a page-size limit', async () => {
      const { body } = await service.get('/v1/pets?status=pending&limit=1');
      expect(body).toEqual([{ id: pet.id, name: 'Rex', categoryId: 4, status: 'pending' }]);
    });

    test('2. add an animal', async () => {
      expect((await service.post('/v1/pets', { name: 'Tom', categoryId: 2 })).status).toBe(201);
    });

    test('3. fetch one animal by its identifier (deprecated)', async () => {
      const { body, headers } = await service.get(`/v1/pets/${pet.id}`);
      expect(body.id).toBe(pet.id);
      expect(headers.has('deprecation')).toBeTrue();
    });
  });

  describe('Pet (returned by the service)', () => {
    test('is a NewPet plus an identifier: exactly id, name, categoryId, status', () => {
      expect(Object.keys(pet)).toEqual(['id', 'name', 'categoryId', 'status']);
    });

    test('id: integer, int64, required, assigned by the service on creation', async () => {
      const { text, body } = await service.post('/v1/pets', { id: 123456, name: 'Rex', categoryId: 1 });
      expect(isInt64(text, 'id')).toBeTrue();
      expect(body.id).not.toBe(123456);
    });

    test('name: string, required', () => {
      expect(pet).toMatchObject({ name: 'Rex' });
    });

    test('categoryId: integer, int64, required', async () => {
      const { text } = await service.post('/v1/pets', '{"name":"Rex","categoryId":9223372036854775807}');
      expect(isInt64(text, 'categoryId')).toBeTrue();
      expect(text).toContain('9223372036854775807');
    });

    test('status: one of the PetStatus values', () => {
      expect(pet).toMatchObject({ status: 'pending' });
    });
  });

  describe('NewPet (sent to create an animal)', () => {
    const required: [string, object][] = [
      ['name', { categoryId: 1 }],
      ['categoryId', { name: 'Rex' }],
    ];
    test.each(required)('%s is required', async (field, body) => {
      const answer = await service.post('/v1/pets', body);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toBe(`${field}: is required`);
    });

    test('name is a string', async () => {
      expect((await service.post('/v1/pets', { name: 1, categoryId: 1 })).status).toBe(400);
    });

    test('categoryId is an integer', async () => {
      expect((await service.post('/v1/pets', { name: 'Rex', categoryId: 1.5 })).status).toBe(400);
    });

    test('status is not required', async () => {
      expect((await service.post('/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(201);
    });
  });

  describe('PetStatus', () => {
    test.each(['available', 'pending', 'sold'])('%s is a value', async (status) => {
      const { body } = await service.post('/v1/pets', { name: 'Rex', categoryId: 1, status });
      expect(body.status).toBe(status);
    });

    test.each(['adopted', 'AVAILABLE', ''])('"%s" is not a value', async (status) => {
      expect((await service.post('/v1/pets', { name: 'Rex', categoryId: 1, status })).status).toBe(400);
    });
  });

  describe('Error', () => {
    test('has code, message and status, each required, and nothing else', async () => {
      const { status, body } = await service.get('/v1/pets/999999');
      expect(body).toEqual({ code: expect.any(String), message: expect.any(String), status });
    });
  });

  describe('GET /pets (operation listPets)', () => {
    test('limit: minimum 1, maximum 100', async () => {
      const statuses = await Promise.all(
        ['0', '1', '100', '101'].map(async (limit) => (await service.get(`/v1/pets?limit=${limit}`)).status),
      );
      expect(statuses).toEqual([400, 200, 200, 400]);
    });

    test('limit: default 20; it is the maximum number of animals returned', async () => {
      await Promise.all(
        Array.from({ length: 25 }, () => service.post('/v1/pets', { name: 'One of many', categoryId: 77 })),
      );
      expect((await service.get('/v1/pets?categoryId=77')).body).toHaveLength(20);
      expect((await service.get('/v1/pets?categoryId=77&limit=3')).body).toHaveLength(3);
    });

    test('status: restricts the result to animals with that status; without it there is no filtering', async () => {
      const statusesIn = async (query: string) =>
        new Set(
          (await service.get(`/v1/pets?limit=100${query}`)).body.map((shown: { status: string }) => shown.status),
        );
      expect(await statusesIn('&status=sold')).toEqual(new Set(['sold']));
      expect(await statusesIn('')).toEqual(new Set(['available', 'pending', 'sold']));
    });

    test('200: Pets (array of Pet)', async () => {
      const { status, body, headers } = await service.get('/v1/pets');
      expect(status).toBe(200);
      expect(body).toBeArray();
      expect(headers.get('content-type')).toBe('application/json');
    });

    test('401: Error', async () => {
      expect((await service.get('/v1/pets', { key: null })).body.status).toBe(401);
    });
  });

  describe('POST /pets (operation createPet)', () => {
    test('201: animal added; Pet with the assigned id', async () => {
      const { status, body } = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
      expect(status).toBe(201);
      expect((await service.get(`/v1/pets/${body.id}`)).body).toEqual(body);
    });

    test('400: body lacks required fields or holds invalid values', async () => {
      expect((await service.post('/v1/pets', {})).body).toMatchObject({ code: 'invalid_request', status: 400 });
    });

    test('the request body is required', async () => {
      expect((await service.call('POST', '/v1/pets')).body).toMatchObject({ code: 'invalid_request', status: 400 });
    });

    test('401: missing or invalid API key', async () => {
      expect((await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key: null })).status).toBe(401);
      expect((await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key: 'nobody' })).status).toBe(401);
    });
  });

  describe('GET /pets/{petId} (operation getPet)', () => {
    test('200: the requested animal', async () => {
      const { status, body } = await service.get(`/v1/pets/${pet.id}`);
      expect(status).toBe(200);
      expect(body).toEqual(pet);
    });

    test('401: missing or invalid API key', async () => {
      expect((await service.get(`/v1/pets/${pet.id}`, { key: null })).status).toBe(401);
    });

    test('404: the resource could not be found', async () => {
      expect((await service.get('/v1/pets/9223372036854775807')).body).toMatchObject({
        code: 'not_found',
        status: 404,
      });
    });

    test('is replaced by GET /pets with a filter', async () => {
      expect((await service.get(`/v1/pets?status=pending&ids=${pet.id}`)).body).toEqual([pet]);
    });

    test('is removed on 5 December 2030', async () => {
      expect((await service.get(`/v1/pets/${pet.id}`)).headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
    });
  });

  describe('Authentication', () => {
    test('the API key is sent in the Authorization header as Bearer <API_KEY>', async () => {
      const key = await service.issueKey();
      expect((await service.get('/v1/pets', { headers: { Authorization: `Bearer ${key}` } })).status).toBe(200);
      expect((await service.get('/v1/pets', { headers: { Authorization: `Basic ${key}` } })).status).toBe(401);
    });
  });

  describe('Limits', () => {
    const plans: [string, number, number][] = [
      ['free', 60, 1_000],
      ['pro', 300, 10_000],
      ['business', 1_000, 100_000],
    ];
    test.each(plans)('%s: %d requests per minute, %d per day', async (plan, perMinute, perDay) => {
      const key = await service.issueKey({ plan });
      const { headers } = await service.get('/v1/pets', { key });
      expect(headers.get('x-ratelimit-limit')).toBe(String(perMinute));
      expect(headers.get('ratelimit-policy')).toBe(`"minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`);
    });

    test('enterprise: custom', async () => {
      const key = await service.issueKey({ plan: 'enterprise', limits: { perMinute: 7, perDay: 9 } });
      const { headers } = await service.get('/v1/pets', { key });
      expect(headers.get('ratelimit-policy')).toBe('"minute";q=7;w=60, "day";q=9;w=86400');
    });
  });

  describe('Versioning', () => {
    test('the interface version is 1.0.0 and /v1 is the last part of the base address', async () => {
      const { body } = await service.get('/openapi.json');
      expect(body.info.version).toBe('1.0.0');
      const readAt = service.url('/openapi.json');
      const urls = body.servers.map(({ url }: { url: string }) => url);
      expect(new URL(urls[0], readAt).href).toBe(service.url('/v1'));
      expect(urls.slice(1)).toEqual(['{productionUrl}/v1', '{stagingUrl}/v1']);
    });

    test('the three operations carry no stability marker', async () => {
      const { paths } = (await service.get('/openapi.json')).body;
      for (const operation of [paths['/pets'].get, paths['/pets'].post, paths['/pets/{petId}'].get]) {
        expect(operation).not.toHaveProperty('x-stability');
      }
    });
  });
};
