import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError, expectProblem } from '../../../test/expect-answer.ts';
import { holdWrites } from '../../../test/hold-writes.ts';
import { left } from '../../../test/limit-probe.ts';
import { type Ask, type Service, STAGING, startService } from '../../../test/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const batch = (pets: unknown, ask?: Ask) => service.post('/v1/pets/batch', { pets }, ask);
const newPets = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `Animal ${index}`,
    categoryId: index % 7,
    status: ['available', 'pending', 'sold'][index % 3] as string,
  }));
const inventory = async () => (await service.get('/v1/store/inventory')).body;
const lastSequence = async () => (await service.get('/v1/events?order=desc&limit=1')).body[0]?.sequence ?? 0;
const custom = (perMinute: number, perDay = 1_000_000) =>
  service.issueKey({ plan: 'enterprise', limits: { perMinute, perDay } });

describe('createPetBatch', () => {
  test('adds a thousand pets and returns them in the order given, with ascending ids', async () => {
    const sent = newPets(1000);
    const before = await inventory();
    const { status, body } = await batch(sent);
    expect(status).toBe(201);
    expect(body.map(({ id, ...pet }: { id: number }) => pet)).toEqual(sent);
    const ids: number[] = body.map(({ id }: { id: number }) => id);
    expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] as number))).toBeTrue();
    const after = await inventory();
    expect([after.available - before.available, after.pending - before.pending, after.sold - before.sold]).toEqual([
      334, 333, 333,
    ]);
    const [last] = (await service.get('/v1/pets?order=desc&limit=1')).body;
    expect(last).toEqual(body.at(-1));
  });

  test('writes pet.created for each pet in the same order, with key and request id', async () => {
    const before = await lastSequence();
    const { body, headers } = await batch(newPets(300));
    const listed: any[] = [];
    for (let path = `/v1/events?order=desc&limit=100`; listed.length < 300; ) {
      const page = await service.get(path);
      listed.push(...page.body);
      path = /<http:\/\/[^/]+([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    }
    const events = listed.slice(0, 300).reverse();
    expect(events.map(({ type, data }) => [type, data.object])).toEqual(
      body.map((pet: object) => ['pet.created', pet]),
    );
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => before + 1 + index));
    expect(new Set(events.map(({ requestId }) => requestId))).toEqual(new Set([headers.get('x-request-id')]));
    expect(new Set(events.map(({ id }) => id)).size).toBe(300);
  });

  test.each([1, 2, 3, 7, 8, 9, 49, 50, 51, 52, 99, 100, 101])(
    'adds %d pets of one category and counts each, with events in the same order',
    async (count) => {
      for (const last of ['available', 'sold']) {
        const before = await inventory();
        const pets = newPets(count).map((pet) => ({ ...pet, categoryId: 1, status: 'available' }));
        const { status, body } = await batch([...pets.slice(1), { ...pets[0], status: last }]);
        expect(status).toBe(201);
        const after = await inventory();
        const added = [after.available - before.available, after.sold - before.sold];
        expect(added).toEqual(last === 'sold' ? [count - 1, 1] : [count, 0]);
        const events = (await service.get('/v1/events?order=desc&limit=100&type=pet.created')).body.slice(0, count);
        const newest = body.slice(-100).reverse();
        expect(events.map(({ data }: any) => data.object.id)).toEqual(newest.map(({ id }: any) => id));
      }
    },
  );

  test('accepts the same rows as createPet: without a status, with unknown fields, with any int64', async () => {
    const sent =
      '{"pets":[{"id":7,"name":" 小鳥 ","categoryId":9223372036854775807},{"name":"\\u0141atek","categoryId":-1.0}]}';
    const { status, text } = await service.post('/v1/pets/batch', sent);
    expect(status).toBe(201);
    expect(text).toMatch(
      /^\[\{"id":\d+,"name":" 小鳥 ","categoryId":9223372036854775807,"status":"available"\},\{"id":\d+,"name":"Łatek","categoryId":-1,"status":"available"\}\]$/,
    );
    expect((await service.get('/v1/categories/9223372036854775807')).status).toBe(200);
  });

  test('accepts a thousand pets with the largest numbers and 1 MiB of names, some escaped', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) =>
      `{"name":"${'\\u5c0f'.repeat(60)}${'x'.repeat(190)}${index}","categoryId":9223372036854${index + 774000}}`.padEnd(
        1047,
      ),
    );
    const sent = `{"pets":[${rows.join(',')}]}`.padEnd(1024 * 1024);
    expect(sent).toHaveLength(1024 * 1024);
    const { status, text } = await service.post('/v1/pets/batch', sent);
    expect(status).toBe(201);
    expect(text).toContain('"categoryId":9223372036854774999,');
  });
});

describe('an invalid batch', () => {
  const refused = async (pets: unknown): Promise<string> => {
    const before = [await inventory(), await lastSequence()];
    const answer = await batch(pets);
    expectError(answer, 'invalid_request', 400);
    expect([await inventory(), await lastSequence()]).toEqual(before);
    return answer.body.message;
  };

  test('adds nothing and names every invalid field', async () => {
    const pets: object[] = newPets(1000);
    pets[17] = { name: '', categoryId: 1 };
    pets[999] = { name: 'Rex', categoryId: 'one', status: 'asleep' };
    expect(await refused(pets)).toBe(
      'pets[17].name: must not be empty or only white space; pets[999].categoryId: must be an integer from -2^63 to 2^63-1 (write integers above 2^53 without a decimal point or exponent); pets[999].status: must be one of available, pending, sold',
    );
  });

  test('names every invalid row, but not every fault if there are too many', async () => {
    const pets: object[] = newPets(1000);
    for (let row = 0; row < 1000; row += 2) pets[row] = { categoryId: 1 };
    for (let row = 700; row < 800; row += 1) pets[row] = { categoryId: 1 };
    const message = await refused(pets);
    expect(message).toStartWith('pets[0].name: is required; pets[2].name: is required; ');
    expect(message).toContain('pets[38].name: is required; and 530 more, in pets[40, 42, 44, ');
    expect(message).toContain(', 698, 700-800, 802, ');
    expect(message).toEndWith(', 996, 998]');
  });

  test('gets problem details with a pointer to each field, at most a hundred', async () => {
    const answer = await batch([{ name: 'Rex', categoryId: 1 }, ...Array(150).fill({ name: 'Rex' })], {
      headers: { Accept: 'application/problem+json' },
    });
    const errors = expectProblem(answer, 'invalid_request') ?? [];
    expect(errors).toHaveLength(100);
    expect(errors[99]).toEqual({ pointer: '#/pets/100/categoryId', detail: 'is required' });
  });

  test.each([
    ['an object as the list', {}, 'pets: must be a list of pets'],
    ['an empty list', [], 'pets: must contain at least one pet'],
    ['1,001 pets', newPets(1001), 'pets: must have at most 1,000 pets'],
    ['rows that are not objects', ['Rex', null], 'pets[0]: must be a JSON object; pets[1]: must be a JSON object'],
  ])('is refused, and the message explains what to change: %s', async (_, pets, message) => {
    expect(await refused(pets)).toBe(message);
  });

  test('names the row that is not valid JSON or exceeds a limit', async () => {
    const refusalOf = async (row: string): Promise<string> => {
      const answer = await service.post('/v1/pets/batch', `{"pets":[{"name":"Rex","categoryId":1},${row}]}`);
      expectError(answer, 'invalid_json', 400);
      return answer.body.message;
    };
    expect(await refusalOf('{"name":Rex}')).toBe('pets[1] is not valid JSON.');
    expect(await refusalOf('')).toBe('pets[1] is not valid JSON.');
    expect(await refusalOf(`{"x":[${Array(100).fill(1)}]}`)).toBe('pets[1] contains too many values: send at most 80.');
  });

  test('names a row of more than 64 KiB, and refuses more than 64 KiB of data outside the rows', async () => {
    const large = 'x'.repeat(64 * 1024);
    expect(await refused([...newPets(1), { large }])).toBe('pets[1]: must be at most 64 KiB (65,536 bytes)');
    const answer = await service.post('/v1/pets/batch', { pets: newPets(1), large });
    expectError(answer, 'invalid_json', 400);
    expect(answer.body.message).toBe('The part of the body outside `pets` must be at most 64 KiB (65,536 bytes).');
  });

  test.each([
    ['invalid JSON', '{"pets":[{"name":"Rex","categoryId":1}]', 'The body is not valid JSON.'],
    ['a list that ends with a brace', '{"pets":[{"name":"Rex","categoryId":1}}}', 'The body is not valid JSON.'],
    ['a body that is a list', '["pets",[{"name":"Rex","categoryId":1}]]', 'body: must be a JSON object'],
    ['a second list in place of the first', '{"pets":[{}],"pets":1}', 'pets: must be a list of pets'],
    [
      'an escaped field name',
      '{"pe\\u0074s":[{"name":"Rex","categoryId":1}]}',
      'pets: must not have escape sequences in its field name',
    ],
  ])('is refused if it has %s', async (_, body, message) => {
    const answer = await service.post('/v1/pets/batch', body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
  });
});

describe('the cost of a batch', () => {
  test.each([
    [1, 1],
    [100, 1],
    [101, 2],
    [1000, 10],
  ])('of %d pets is %d requests, in both windows', async (count, cost) => {
    const key = await custom(100, 1000);
    expect(left(await batch(newPets(count), { key }))).toEqual([100 - cost, 1000 - cost]);
  });

  const MIB = 1024 * 1024;

  test('is that of all rows even if one is invalid', async () => {
    const key = await custom(100, 1000);
    expect(left(await batch([...newPets(999), {}], { key }))).toEqual([90, 990]);
    expect(left(await batch([...newPets(100), {}], { key }))).toEqual([88, 988]);
  });

  test('is one request per tenth of a mebibyte for an invalid batch of large rows', async () => {
    const key = await custom(100, 1000);
    const large = Array(15).fill({ text: 'x'.repeat(64_000) });
    expect(left(await batch(large, { key }))).toEqual([90, 990]);
    const valid = large.map((row) => ({ ...row, name: 'Rex', categoryId: 1 }));
    expect(left(await batch(valid, { key }))).toEqual([89, 989]);
  });

  test.each([
    ['no JSON at all', '"'.repeat(MIB), 10],
    ['no list', `{"pets":"${'x'.repeat(MIB / 2 - 100)}"}`, 5],
    ['too many rows', `{"pets":[${Array(1001).fill('{}')}]}`, 1],
    ['nothing but commas', ','.repeat(MIB), 10],
  ])('is one request per tenth of a mebibyte if the rows cannot be counted: %s', async (_, body, cost) => {
    const key = await custom(100, 1000);
    const answer = await service.post('/v1/pets/batch', body, { key });
    expect([answer.status, left(answer)]).toEqual([400, [100 - cost, 1000 - cost]]);
  });

  test('is checked before any row is parsed: a batch over the limit gets no list of faults', async () => {
    const key = await custom(15);
    expect((await batch([...newPets(999), {}], { key })).status).toBe(400);
    expectError(await batch([...newPets(599), {}], { key }), 'rate_limit_exceeded', 429);
  });

  test('is one request if a header is invalid', async () => {
    const key = await custom(100, 1000);
    const headers = { 'Idempotency-Key': 'not visible' };
    expect(left(await batch(newPets(1000), { key, headers }))).toEqual([99, 999]);
  });

  test('must fit in the window; otherwise, nothing is added, and only one request is counted', async () => {
    const key = await custom(15);
    expect((await batch(newPets(1000), { key })).status).toBe(201);
    const before = [await inventory(), await lastSequence()];
    const answer = await batch(newPets(600), { key });
    expectError(answer, 'rate_limit_exceeded', 429);
    expect(answer.body.message).toContain('costs more than the 4 requests remaining for the current minute.');
    expect(answer.headers.get('retry-after')).toBe('60');
    expect([await inventory(), await lastSequence()]).toEqual(before);
    expect(left(await batch(newPets(400), { key }))[0]).toBe(0);
  });

  test('that exceeds the limit of the key causes a 400, because waiting would not help', async () => {
    const key = await custom(5);
    const answer = await batch(newPets(501), { key });
    expectError(answer, 'invalid_request', 400);
    expect(answer.body.message).toBe(
      "The batch counts as 6 requests, which is more than the key's limit of 5. Split it into smaller batches.",
    );
    service.clock.advance(60_000);
    expect((await batch(newPets(500), { key })).status).toBe(201);
  });

  test('is shown in full for an invalid batch of large rows, not only the part for its bytes', async () => {
    const large = Array(200).fill({ text: 'x'.repeat(5_000) });
    for (const limit of [5, 9]) {
      const answer = await batch(large, { key: await custom(limit) });
      expectError(answer, 'invalid_request', 400);
      expect(answer.body.message).toStartWith(
        `The batch counts as 10 requests, which is more than the key's limit of ${limit}.`,
      );
    }
    expect((await batch(large, { key: await custom(10) })).body.message).toStartWith('pets[0].name: is required');
  });
});

test('a batch with an idempotency key is added once, and replayed byte for byte', async () => {
  const headers = { 'Idempotency-Key': 'batch-1' };
  const first = await batch(newPets(500), { headers });
  const before = await inventory();
  const again = await batch(newPets(500), { headers });
  expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true']);
  expect(await inventory()).toEqual(before);
  expectError(await batch(newPets(501), { headers }), 'idempotency_key_reused', 422);
});

test('a replayed batch costs as much as the first one, and does not wait for writers', async () => {
  const key = await custom(50, 1000);
  const headers = { 'Idempotency-Key': 'batch-2' };
  await batch(newPets(950), { key, headers });
  const letGo = await holdWrites(service.place);
  const again = await batch(newPets(950), { key, headers }).finally(letGo);
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(left(again)).toEqual([30, 980]);
  const third = await batch(newPets(950), { key, headers: { 'Idempotency-Key': '"batch-2"' } });
  expect([third.text === again.text, left(third)]).toEqual([true, [20, 970]]);
});

test('other pets are added, read and changed while batches run', async () => {
  const batches = Array.from({ length: 4 }, () => batch(newPets(1000)));
  const others = Array.from({ length: 20 }, async (_, index) => {
    const { body } = await service.post('/v1/pets', { name: `Other ${index}`, categoryId: 1 });
    return service.call('PATCH', `/v1/pets/${body.id}`, { body: { name: 'Changed' } });
  });
  const failing = service.post('/v1/store/orders', { petId: 1e12 });
  expect((await Promise.all(batches)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect((await Promise.all(others)).every(({ status, body }) => status === 200 && body.name === 'Changed')).toBeTrue();
  expect((await failing).status).toBe(404);
  const ids = (await Promise.all(batches)).flatMap(({ body }) => body.map(({ id }: { id: number }) => id));
  expect(new Set(ids).size).toBe(4000);
});

describe('a batch for a sandbox', () => {
  let sandbox: Service;
  beforeAll(async () => {
    sandbox = await startService({ environment: STAGING, maxPets: 100 });
  });
  afterAll(() => sandbox.stop());

  test('is accepted only if all of its pets fit', async () => {
    const key = await sandbox.issueKey({ storeId: 77 });
    const { available, pending, sold } = (await sandbox.get('/v1/store/inventory', { key })).body;
    const room = 100 - (available + pending + sold);
    const add = (count: number) => sandbox.post('/v1/pets/batch', { pets: newPets(count) }, { key });
    const refused = await add(room + 1);
    expectError(refused, 'store_full', 403);
    expect(refused.body.message).toContain(`adding ${room + 1} would exceed the limit of 100.`);
    expect((await add(room)).status).toBe(201);
    expect((await add(1)).status).toBe(403);
  });
});
