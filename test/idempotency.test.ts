import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { CONTRACTS } from '../src/contracts.ts';
import { bodyBoundsOf } from '../src/http/input/read-body.ts';
import { type Contract, SCOPES } from '../src/kernel/contract.ts';
import { readRows } from './database.ts';
import { expectError, expectSharedHeaders } from './expect-answer.ts';
import { holdWrites } from './hold-writes.ts';
import { left } from './limit-probe.ts';
import { freshBody, freshPathValues, pathOf } from './operation-request.ts';
import { bytesOf, chunked, openConnection } from './raw-http.ts';
import { ADMIN_KEY, type Ask, type Service, STAGING, startService, type TestResponse } from './service.ts';
import { readTables, storedBytes, storedTables } from './stored-rows.ts';

const DAY_MS = 86_400_000;
/**
 * Background jobs may change other columns of these tables at any time, so the tests compare only the columns listed
 * here.
 */
const COLUMNS = new Map([
  ['webhooks', 'id, url, events, state, secret'],
  ['stores', 'id, last_sequence, webhooks'],
  ['deployment', 'environment'],
]);

const posts = CONTRACTS.filter(({ method }) => method === 'POST').map((contract) => [contract.id, contract] as const);

let service: Service;
beforeAll(async () => {
  service = await startService({ environment: STAGING });
});
afterAll(() => service.stop());

const stored = async (): Promise<Record<string, unknown>> => {
  const tables = (await storedTables(service)).filter((name) => name !== 'deliveries');
  const rows = await readTables(service, tables, (name) => `SELECT ${COLUMNS.get(name) ?? '*'} FROM ${name}`);
  const sorted = ([name, found]: [string, any[]]) => [name, found.map((row) => JSON.stringify(row)).sort()];
  return Object.fromEntries(Object.entries(rows).map(sorted));
};

let keysMade = 0;
const newIdempotencyKey = () => {
  keysMade += 1;
  return `idempotency-${keysMade}`;
};
const once = (idempotencyKey: string) => ({ 'Idempotency-Key': idempotencyKey });

const prepare = async (contract: Contract) => {
  const path = pathOf(contract, await freshPathValues(service, contract));
  const body = contract.input.body && (await freshBody(service, contract));
  return {
    path,
    body,
    send: (idempotencyKey: string, ask: Ask = {}, query = ''): Promise<TestResponse> =>
      service.call('POST', path + query, {
        ...(body === undefined ? {} : { body }),
        ...ask,
        headers: { ...once(idempotencyKey), ...ask.headers },
      }),
  };
};

const isReplayed = ({ headers }: TestResponse) => headers.get('idempotent-replayed') === 'true';
const withoutSecret = (text: string) => text.replace(/"(key|secret)":"[^"]*"/, '"$1":null');

const expectReplay = (again: TestResponse, first: TestResponse) => {
  expectSharedHeaders(again);
  expect(isReplayed(again)).toBeTrue();
  expect(again.status).toBe(first.status);
  expect(again.text).toBe(withoutSecret(first.text));
  for (const name of ['content-type', 'location', 'etag'])
    expect(again.headers.get(name)).toBe(first.headers.get(name));
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
};

describe.each(posts)('%s with an Idempotency-Key', (_, contract) => {
  test('replays the first response and does nothing a second time', async () => {
    const { send } = await prepare(contract);
    const idempotencyKey = newIdempotencyKey();
    const first = await send(idempotencyKey);
    expect(first.status).toBe(contract.answer.status);
    expect(first.headers.has('idempotent-replayed')).toBeFalse();
    const rows = await stored();
    expectReplay(await send(idempotencyKey), first);
    expectReplay(await send(`"${idempotencyKey}"`), first);
    expect(await stored()).toEqual(rows);
  });

  test('replays the first response to concurrent retries', async () => {
    const { send } = await prepare(contract);
    const idempotencyKey = newIdempotencyKey();
    const first = await send(idempotencyKey);
    for (const again of await Promise.all(Array.from({ length: 8 }, () => send(idempotencyKey))))
      expectReplay(again, first);
  });

  test('refuses the same key for another body, query or path, and does nothing', async () => {
    const { send, body } = await prepare(contract);
    const other = contract.path === '/pets' ? '/v1/categories' : '/v1/pets';
    const idempotencyKey = newIdempotencyKey();
    await send(idempotencyKey);
    const rows = await stored();
    const refused = [
      await send(idempotencyKey, { body: `${body ?? '{}'} ` }),
      await send(idempotencyKey, {}, '?unknown=1'),
      await service.call('POST', other, { body: { name: 'Rex', categoryId: 1 }, headers: once(idempotencyKey) }),
    ];
    for (const answer of refused) {
      expectError(answer, 'idempotency_key_reused', 422);
      expect(answer.headers.has('idempotent-replayed')).toBeFalse();
    }
    expect(await stored()).toEqual(rows);
  });

  test('refuses a malformed key, and does nothing', async () => {
    const { send } = await prepare(contract);
    const rows = await stored();
    for (const idempotencyKey of ['', '""', 'two words', 'é', 'x'.repeat(256)]) {
      const answer = await send(idempotencyKey);
      expectError(answer, 'invalid_request', 400);
      expect(answer.body.message).toStartWith('Idempotency-Key: ');
    }
    expect(await stored()).toEqual(rows);
  });

  const { bytes, spelled } = bodyBoundsOf(contract);
  test(`refuses a body over ${spelled.split(' (')[0]}, even if the operation takes no body, and keeps the connection`, async () => {
    const { path } = await prepare(contract);
    const rows = await stored();
    const connection = openConnection(service.port);
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ADMIN_KEY}\r\nContent-Type: application/json\r\n`;
    const body = 'x'.repeat(bytes + 1);
    for (const sent of [
      bytesOf(`Content-Length: ${body.length}\r\n\r\n`, body),
      bytesOf('Transfer-Encoding: chunked\r\n\r\n', chunked(body)),
    ]) {
      const answer = await connection.ask(bytesOf(head, `Idempotency-Key: ${newIdempotencyKey()}\r\n`, sent));
      expectError(answer, 'payload_too_large', 413);
    }
    connection.close();
    expect(await stored()).toEqual(rows);
  });

  test('counts every attempt as one request', async () => {
    const key = await service.issueKey({ plan: 'enterprise', limits: { perMinute: 9, perDay: 90 }, scopes: SCOPES });
    const { send } = await prepare(contract);
    const idempotencyKey = newIdempotencyKey();
    expect(left(await send(idempotencyKey, { key }))).toEqual([8, 89]);
    const again = await send(idempotencyKey, { key });
    expect([isReplayed(again), left(again)]).toEqual([true, [7, 88]]);
    expect(left(await service.get('/v1/pets', { key }))).toEqual([6, 87]);
  });

  test('keeps the response for 24 hours, until the next cleanup', async () => {
    const { send } = await prepare(contract);
    const idempotencyKey = newIdempotencyKey();
    const first = await send(idempotencyKey);
    service.clock.advance(DAY_MS - 1);
    await service.runJobs();
    expectReplay(await send(idempotencyKey), first);
    service.clock.advance(1);
    expectReplay(await send(idempotencyKey), first);
    await service.runJobs();
    expect(isReplayed(await send(idempotencyKey))).toBeFalse();
  });
});

describe('after a restart', () => {
  type Sent = { path: string; ask: Ask; first: TestResponse };
  const sent = new Map<string, Sent>();
  beforeAll(async () => {
    for (const [id, contract] of posts) {
      const { path, body } = await prepare(contract);
      // Sends a fixed `Host` header, because `Location` contains the host, and the port changes with each restart.
      const ask = {
        ...(body === undefined ? {} : { body }),
        headers: { ...once(newIdempotencyKey()), Host: 'pets.example' },
      };
      sent.set(id, { path, ask, first: await service.call('POST', path, ask) });
    }
    await service.restart();
  });

  test.each(posts)('%s replays the first response', async (id) => {
    const { path, ask, first } = sent.get(id) as Sent;
    expectReplay(await service.call('POST', path, ask), first);
  });
});

const PETS = '/v1/pets';
const PET = { name: 'Rex', categoryId: 1 };
const addPet = (idempotencyKey: string, ask: Ask = {}) =>
  service.post(PETS, PET, { ...ask, headers: once(idempotencyKey) });

describe('the first request with an idempotency key', () => {
  test('is the only one of two concurrent requests to be served; the other gets idempotency_in_progress', async () => {
    const idempotencyKey = newIdempotencyKey();
    const releaseWrites = await holdWrites(service.place);
    const both = [addPet(idempotencyKey), addPet(idempotencyKey)];
    // Only writes are blocked. By the time the service answers this read, it has also received the two writes.
    await service.get(PETS);
    await releaseWrites();
    const answers = (await Promise.all(both)).sort((a, b) => a.status - b.status);
    expect(answers.map(({ status }) => status)).toEqual([201, 409]);
    expectError(answers[1] as TestResponse, 'idempotency_in_progress', 409);
    expectReplay(await addPet(idempotencyKey), answers[0] as TestResponse);
  });

  test('is the only one of 100 concurrent requests to have an effect', async () => {
    const idempotencyKey = newIdempotencyKey();
    const before = (await service.get('/v1/store/inventory')).body.available;
    const answers = await Promise.all(Array.from({ length: 100 }, () => addPet(idempotencyKey)));
    const served = answers.filter(({ status }) => status === 201);
    expect(new Set(served.map(({ body }) => body.id)).size).toBe(1);
    expect(served.filter((answer) => !isReplayed(answer))).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 201) expectError(answer, 'idempotency_in_progress', 409);
    expect((await service.get('/v1/store/inventory')).body.available).toBe(before + 1);
  });

  test('leaves the key unused when it is refused, so a retry can succeed', async () => {
    const pet = await service.post(PETS, { ...PET, status: 'pending' });
    const order = (idempotencyKey: string) =>
      service.post('/v1/store/orders', { petId: pet.body.id }, { headers: once(idempotencyKey) });
    const idempotencyKey = newIdempotencyKey();
    expectError(await order(idempotencyKey), 'pet_not_available', 409);
    expectError(await order(idempotencyKey), 'pet_not_available', 409);
    await service.call('PATCH', `${PETS}/${pet.body.id}`, { body: { status: 'available' } });
    const placed = await order(idempotencyKey);
    expect([placed.status, isReplayed(placed)]).toEqual([201, false]);
    expectReplay(await order(idempotencyKey), placed);
  });

  test('leaves the key unused when its body is refused, so a corrected body can follow', async () => {
    const idempotencyKey = newIdempotencyKey();
    expectError(await service.post(PETS, {}, { headers: once(idempotencyKey) }), 'invalid_request', 400);
    const added = await addPet(idempotencyKey);
    expect([added.status, isReplayed(added)]).toEqual([201, false]);
  });
});

describe('an idempotency key', () => {
  test('belongs to one API key: another API key may use the same value', async () => {
    const idempotencyKey = newIdempotencyKey();
    const [one, other] = [await service.issueKey(), await service.issueKey()];
    const first = await addPet(idempotencyKey, { key: one });
    const second = await addPet(idempotencyKey, { key: other });
    expect([second.status, isReplayed(second)]).toEqual([201, false]);
    expect(second.body.id).not.toBe(first.body.id);
    expectReplay(await addPet(idempotencyKey, { key: one }), first);
  });

  test('survives the rotation of its API key', async () => {
    const issued = (await service.post('/v1/keys', { name: 'test', plan: 'pro', storeId: 1 })).body;
    const idempotencyKey = newIdempotencyKey();
    const first = await addPet(idempotencyKey, { key: issued.key });
    const rotated = (await service.post(`/v1/keys/${issued.id}/rotate`, {})).body;
    expectReplay(await addPet(idempotencyKey, { key: rotated.key }), first);
  });

  test.each(['PATCH', 'DELETE', 'GET'])('is ignored by %s, even if malformed or already used', async (method) => {
    const idempotencyKey = newIdempotencyKey();
    const { body } = await addPet(idempotencyKey);
    for (const sent of [idempotencyKey, 'two words']) {
      const ask = { headers: once(sent), ...(method === 'PATCH' ? { body: { name: sent } } : {}) };
      const answer = await service.call(method, `${PETS}/${body.id}`, ask);
      expect(answer.status).toBe(method === 'DELETE' ? (sent === idempotencyKey ? 204 : 404) : 200);
      expect(isReplayed(answer)).toBeFalse();
    }
  });
});

describe('a retried request', () => {
  test('is refused without the required scope, and replayed once the key has it again', async () => {
    const issued = (await service.post('/v1/keys', { name: 'test', plan: 'pro', storeId: 1 })).body;
    const setScopes = (scopes: readonly string[]) =>
      service.call('PATCH', `/v1/keys/${issued.id}`, { body: { scopes } });
    const idempotencyKey = newIdempotencyKey();
    const first = await addPet(idempotencyKey, { key: issued.key });
    await setScopes(['pets:read']);
    expectError(await addPet(idempotencyKey, { key: issued.key }), 'insufficient_scope', 403);
    await setScopes(['pets:write']);
    expectReplay(await addPet(idempotencyKey, { key: issued.key }), first);
  });

  test('is validated before it is replayed', async () => {
    const idempotencyKey = newIdempotencyKey();
    await addPet(idempotencyKey);
    const type = { headers: { ...once(idempotencyKey), 'Content-Type': 'text/plain' } };
    expectError(await service.post(PETS, 'x', type), 'unsupported_media_type', 415);
    expectError(
      await service.post(PETS, ' '.repeat(65_537), { headers: once(idempotencyKey) }),
      'payload_too_large',
      413,
    );
    expectError(await service.post(PETS, '{', { headers: once(idempotencyKey) }), 'invalid_json', 400);
    const path = '/v1/store/orders/007/approve';
    expectError(await service.call('POST', path, { headers: once(idempotencyKey) }), 'not_found', 404);
  });

  test('is matched to its first response before the row is looked up', async () => {
    const idempotencyKey = newIdempotencyKey();
    const pet = (await service.post(PETS, PET)).body;
    const order = () => service.post('/v1/store/orders', { petId: pet.id }, { headers: once(idempotencyKey) });
    const placed = await order();
    await service.call('POST', `/v1/store/orders/${placed.body.id}/cancel`);
    await service.call('DELETE', `${PETS}/${pet.id}`);
    expectReplay(await order(), placed);
    expectError(await service.post('/v1/store/orders', { petId: pet.id }), 'not_found', 404);
    const missing = await service.call('POST', '/v1/store/orders/999999/approve', { headers: once(idempotencyKey) });
    expectError(missing, 'idempotency_key_reused', 422);
  });
});

test('a secret shown once is not on disk, and a replay shows null instead', async () => {
  const [idempotencyKey, rotation] = [newIdempotencyKey(), newIdempotencyKey()];
  const create = () =>
    service.post('/v1/keys', { name: 'test', plan: 'pro', storeId: 1 }, { headers: once(idempotencyKey) });
  const first = await create();
  const rotate = () => service.post(`/v1/keys/${first.body.id}/rotate`, {}, { headers: once(rotation) });
  const rotated = await rotate();
  expect((await create()).body).toEqual({ ...first.body, key: null });
  expect((await rotate()).body).toEqual({ ...rotated.body, key: null });
  expect((await service.get('/v1/pets', { key: rotated.body.key })).status).toBe(200);
  const onDisk = (await storedBytes(service)).toString('latin1');
  expect(onDisk).toContain(first.body.id);
  for (const { body } of [first, rotated]) expect(onDisk).not.toContain(body.key.slice('ps_test_'.length, -4));
});

test('only responses older than 24 hours are removed in the background', async () => {
  const kept = async () =>
    (await readRows(service.place, 'SELECT idempotency_key FROM idempotency')).map((row) => row.idempotency_key);
  const [old, young] = [newIdempotencyKey(), newIdempotencyKey()];
  await addPet(old);
  service.clock.advance(1);
  const first = await addPet(young);
  service.clock.advance(DAY_MS - 1);
  await service.runJobs();
  expect(await kept()).toEqual([young]);
  expectReplay(await addPet(young), first);
});
