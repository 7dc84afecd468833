import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const create = (body: unknown) => service.post('/v1/pets', body);

describe('createPet', () => {
  test('returns the pet with its assigned id', async () => {
    const { status, body } = await create({ name: 'Rex', categoryId: 1, status: 'pending' });
    expect(status).toBe(201);
    expect(body).toEqual({ id: expect.any(Number), name: 'Rex', categoryId: 1, status: 'pending' });
  });

  test('returns Location and ETag', async () => {
    const { headers, body } = await create({ name: 'Rex', categoryId: 1 });
    expect(headers.get('location')).toBe(service.url(`/v1/pets/${body.id}`));
    expect(headers.get('etag')).toBe('"1"');
  });

  test('sets the status to available by default', async () => {
    expect((await create({ name: 'Rex', categoryId: 1 })).body.status).toBe('available');
  });

  test('assigns ascending ids', async () => {
    const first = (await create({ name: 'Rex', categoryId: 1 })).body.id;
    const second = (await create({ name: 'Rex', categoryId: 1 })).body.id;
    expect(second).toBeGreaterThan(first);
  });

  test('ignores unknown fields, including id', async () => {
    const { status, body } = await create({ id: 99999, name: 'Rex', categoryId: 1, owner: { name: 'Ann' } });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['id', 'name', 'categoryId', 'status']);
    expect(body.id).not.toBe(99999);
  });

  test('lists every invalid field', async () => {
    const { status, body } = await create({ name: '', status: null });
    expect(status).toBe(400);
    expect(body).toEqual({
      code: 'invalid_request',
      status: 400,
      message:
        'name: must not be empty or only white space; categoryId: is required; status: must be one of available, pending, sold',
    });
  });
});

describe('the category id of a new pet', () => {
  test('adds a category without a name, which writes no event of its own', async () => {
    const lastSequence = async () => (await service.get('/v1/events?order=desc&limit=1')).body[0].sequence;
    await create({ name: 'Rex', categoryId: 1 });
    const before = await lastSequence();
    const { body: pet } = await create({ name: 'Rex', categoryId: 4_000 });
    expect((await service.get('/v1/categories/4000')).body).toEqual({ id: 4_000, name: null });
    expect((await service.get(`/v1/events/${before + 1}`)).body).toMatchObject({
      type: 'pet.created',
      data: { object: pet },
    });
    expect(await lastSequence()).toBe(before + 1);
  });

  const kept: [string, string][] = [
    ['0', '0'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['9223372036854775807', '9223372036854775807'],
    ['9007199254740993', '9007199254740993'],
    ['1.0', '1'],
    ['1e2', '100'],
    ['-0', '0'],
  ];
  test.each(kept)('%s is kept digit for digit as %s', async (sent, shown) => {
    const created = await create(`{"name":"Rex","categoryId":${sent}}`);
    expect(created.status).toBe(201);
    expect(created.text).toContain(`"categoryId":${shown},`);
    const { id } = created.body;
    expect((await service.get(`/v1/pets?ids=${id}`)).text).toContain(`"categoryId":${shown},`);
  });

  const refused = [
    ...['9223372036854775808', '-9223372036854775809', '1.5', '1e20', '9007199254740993.0', '1e400'],
    ...['"1"', 'null', 'true', '[1]', '{}'],
  ];
  test.each(refused)('%s is refused', async (sent) => {
    const { status, body } = await create(`{"name":"Rex","categoryId":${sent}}`);
    expect(status).toBe(400);
    expect(body.code).toBe('invalid_request');
    expect(body.message).toStartWith('categoryId: ');
  });
});

describe('the name of a new pet', () => {
  const kept: [string, string][] = [
    ['a name of one character', 'R'],
    ['white space around it', '  Rex\n'],
    ['255 characters', 'x'.repeat(255)],
    ['255 code points beyond the basic plane', '🐕'.repeat(255)],
    ['combining characters', 'Zoe\u0308'],
    ['quotes and backslashes', '"\\/\b'],
  ];
  test.each(kept)('keeps %s exactly as sent', async (_, name) => {
    const { status, body } = await create({ name, categoryId: 1 });
    expect(status).toBe(201);
    expect(body.name).toBe(name);
  });

  const refused: [string, string][] = [
    ['an empty name', '""'],
    ['only white space', '" \\t\\n\\u00a0"'],
    ['256 characters', `"${'x'.repeat(256)}"`],
    ['256 code points beyond the basic plane', `"${'🐕'.repeat(256)}"`],
    ['U+0000', '"a\\u0000b"'],
    ['a lone surrogate', '"a\\ud800b"'],
    ['a number', '7'],
    ['null', 'null'],
  ];
  test.each(refused)('refuses %s', async (_, name) => {
    const { status, body } = await create(`{"name":${name},"categoryId":1}`);
    expect(status).toBe(400);
    expect(body.message).toStartWith('name: ');
  });
});
