import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { CONTRACTS } from '../src/contracts.ts';
import { type Contract, SCOPES, type Scope } from '../src/kernel/contract.ts';
import { exampleBody, queryNames } from './operation-request.ts';
import { type Service, STAGING, startService, type TestResponse } from './service.ts';
import { readTables, storedTables } from './stored-rows.ts';
import { waitFor } from './wait-for.ts';

const OPERATOR: readonly Scope[] = ['keys:write', 'ops:read'];
const isOperators = ({ scope }: Contract) => (OPERATOR as readonly string[]).includes(scope);

type Member = {
  id: string;
  key: string;
  storeId: number;
  pets: number[];
  orderId: number;
  webhookId: string;
  deliveryId: string;
  cursor: string;
};

let foreignSequence: number;

let service: Service;
let own: Member;
let foreign: Member;

const MARK = 'nobody else may read this';

const settle = async (mark: string, categoryId: number, more = 0): Promise<Member> => {
  const scopes = SCOPES.filter((scope) => !OPERATOR.includes(scope));
  const { id, key, storeId } = (
    await service.post('/v1/keys', { name: mark, plan: 'enterprise', limits: { perMinute: 1e6, perDay: 1e6 }, scopes })
  ).body;
  const ask = { key, headers: { 'Idempotency-Key': 'once' } };
  for (let count = 0; count < more / 10; count += 1) {
    const { id: petId } = (await service.post('/v1/pets', { name: mark, categoryId }, { key })).body;
    await service.post('/v1/store/orders', { petId }, { key });
  }
  const pets: number[] = [(await service.post('/v1/pets', { name: mark, categoryId }, ask)).body.id];
  pets.push((await service.post('/v1/pets', { name: mark, categoryId }, { key })).body.id);
  for (let count = 0; count < more; count += 1) {
    await service.call('PATCH', `/v1/pets/${pets[0]}`, { key, body: { name: `${mark} ${count}` } });
  }
  const orderId = (await service.post('/v1/store/orders', { petId: pets[1] }, { key })).body.id;
  const url = 'https://127.0.0.1/hooks';
  const webhookId = (await service.post('/v1/webhooks', { url, events: ['pet.deleted'] }, { key })).body.id;
  const deliveryId = (await service.call('POST', `/v1/webhooks/${webhookId}/test`, { key })).body.id;
  // Waits until the delivery attempt is stored, because the test compares the stored rows later. The test clock stands
  // still, so there is no second attempt.
  await waitFor('the attempt is made', async () => {
    const { body } = await service.get(`/v1/webhooks/${webhookId}/deliveries`, { key });
    return body[0]?.attempt === 1;
  });
  const { headers } = await service.get('/v1/pets?limit=5', { key });
  const cursor = /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1] ?? '';
  return { id, key, storeId, pets, orderId, webhookId, deliveryId, cursor };
};

beforeAll(async () => {
  service = await startService({ environment: { ...STAGING, PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' } });
  own = await settle('my own', 777_001);
  foreign = await settle(MARK, 777_002, 300);
  expect(own.storeId).not.toBe(foreign.storeId);
  foreignSequence = (await service.get('/v1/events?order=desc&limit=1', { key: foreign.key })).body[0].sequence;
});
afterAll(() => service.stop());

const NAMES: Record<string, () => { foreign: string; none: string }> = {
  petId: () => ({ foreign: String(foreign.pets[0]), none: '999999999' }),
  name: () => ({ foreign: MARK, none: 'nobody' }),
  search: () => ({ foreign: MARK.slice(1), none: 'nobody' }),
  ids: () => ({ foreign: foreign.pets.join(','), none: '999999998,999999999' }),
  orderId: () => ({ foreign: String(foreign.orderId), none: '999999999' }),
  categoryId: () => ({ foreign: '777002', none: '888001' }),
  cursor: () => ({ foreign: foreign.cursor, none: own.cursor }),
  sequence: () => ({ foreign: String(foreignSequence), none: '999999999' }),
  webhookId: () => ({ foreign: foreign.webhookId, none: 'wh_000000000000000000000000' }),
  deliveryId: () => ({ foreign: foreign.deliveryId, none: 'dlv_000000000000000000000000' }),
  keyId: () => ({ foreign: foreign.id, none: 'key_000000000000000000000000' }),
};

/** Parameters that never refer to a row. Add each new parameter either to this list or to `NAMES`. */
const NAMELESS = [
  'status',
  'type',
  'limit',
  'order',
  'sort',
  'from',
  'to',
  'by',
  'since',
  'placedFrom',
  'placedTo',
  'count',
];

/**
 * A pet's name is free text, and a missing category is created in the caller's store. Therefore, neither `name` nor
 * `categoryId` refers to a row of another store.
 */
const isReference = (field: string): boolean => field in NAMES && !['name', 'categoryId'].includes(field);

type Named = 'foreign' | 'none';
type Options = { which: Named; query?: string; head?: boolean };

const ask = (contract: Contract, { which, query = '', head = false }: Options): Promise<TestResponse> => {
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name) => NAMES[name]?.()[which] ?? 'unknown');
  const example = exampleBody(contract) as object | undefined;
  const body =
    example &&
    Object.fromEntries(
      Object.entries(example).map(([name, value]) => [
        name,
        isReference(name) ? Number(NAMES[name]?.()[which]) : value,
      ]),
    );
  return service.call(head ? 'HEAD' : contract.method, `/v1${path}${query && `?${query}`}`, {
    key: own.key,
    ...(body ? { body } : {}),
  });
};

const trace = ({ status, headers, text }: TestResponse, contract: Contract, which: Named) => {
  let seen = text;
  for (const name of Object.keys(contract.input.path ?? {})) seen = seen.replaceAll(NAMES[name]?.()[which] ?? '', '…');
  const changing = /^(x-request-id|date|content-length|x-ratelimit-.*|ratelimit)$/;
  return { status, text: seen, headers: [...headers].filter(([name]) => !changing.test(name)).sort() };
};

const dump = async (storeId: number): Promise<Record<string, unknown[]>> => {
  const tables = ['stores', ...(await storedTables(service, 'store_id'))];
  const column = (name: string) => (name === 'stores' ? 'id' : 'store_id');
  const dumped = await readTables(
    service,
    tables,
    (name) => `SELECT * FROM ${name} WHERE ${column(name)} = ${storeId}`,
  );
  const inOrder = (rows: unknown[]) => rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return Object.fromEntries(Object.entries(dumped).map(([name, rows]) => [name, inOrder(rows)]));
};

const idsIn = (value: unknown): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(idsIn);
  return 'id' in value ? [value.id, ...inner] : inner;
};

const expectNothingForeign = async ({ text, body }: TestResponse) => {
  // The request log repeats the paths that the caller itself sent, and a 404 repeats the id.
  const shown = text.replaceAll(/"path":"[^"]*"|There is no key with the id \\"\w+\\"/g, '');
  expect(shown).not.toContain(MARK);
  expect(shown).not.toContain(foreign.id);
  const petsOf = async (storeId: number) =>
    new Set<unknown>((await dump(storeId)).pets?.map((row) => Number((row as { id: number }).id)));
  const hidden = (await petsOf(foreign.storeId)).difference(await petsOf(own.storeId));
  expect(hidden.size).toBeGreaterThan(10);
  expect(idsIn(body).filter((id) => hidden.has(id))).toEqual([]);
};

test('the dump of a store includes every table that has a store', async () => {
  const dumped = await dump(foreign.storeId);
  const catalogue = [
    'categories',
    'category_runs',
    'deliveries',
    'event_counts',
    'events',
    'idempotency',
    'inventory',
    'orders',
    'pets',
    'webhooks',
  ];
  const tables = [...catalogue, 'keys', 'stores'].sort();
  expect(Object.keys(dumped).sort()).toEqual(tables);
  for (const rows of Object.values(dumped)) expect(rows.length).toBeGreaterThan(0);
});

describe.each(CONTRACTS.map((contract) => [contract.id, contract] as const))('%s across stores', (_, contract) => {
  test('has only parameters that this test covers', () => {
    const names = [...Object.keys(contract.input.path ?? {}), ...queryNames(contract)];
    expect(names.filter((name) => !(name in NAMES) && !NAMELESS.includes(name))).toEqual([]);
  });

  if (contract.input.path) {
    const [status, code] = isOperators(contract) ? [403, 'insufficient_scope'] : [404, 'not_found'];

    test(`answers ${status} for a row of another store, exactly as for one that does not exist`, async () => {
      const response = await ask(contract, { which: 'foreign' });
      expect([response.status, response.body.code]).toEqual([status, code]);
      expect(trace(response, contract, 'foreign')).toEqual(
        trace(await ask(contract, { which: 'none' }), contract, 'none'),
      );
    });
  }

  if (contract.method === 'GET') {
    test('answers HEAD for a row of another store as for one that does not exist', async () => {
      const response = trace(await ask(contract, { which: 'foreign', head: true }), contract, 'foreign');
      expect(response).toEqual(trace(await ask(contract, { which: 'none', head: true }), contract, 'none'));
    });
  }

  for (const name of queryNames(contract).filter((each) => each in NAMES)) {
    test(`shows no row of another store even if ${name} names one`, async () => {
      const query = `${name}=${NAMES[name]?.().foreign}&limit=100`;
      const response = await ask(contract, {
        which: 'foreign',
        query: name === 'cursor' ? `cursor=${foreign.cursor}` : query,
      });
      if (isOperators(contract)) expect(response.body.code).toBe('insufficient_scope');
      else await expectNothingForeign(response);
    });
  }

  test('shows nothing of another store and changes nothing in it', async () => {
    const before = await dump(foreign.storeId);
    const response = await ask(contract, { which: 'foreign' });
    await expectNothingForeign(response);
    expect(await dump(foreign.storeId)).toEqual(before);
    if (isOperators(contract)) expect(response.body.code).toBe('insufficient_scope');
    else if (Object.keys((exampleBody(contract) as object | undefined) ?? {}).some(isReference))
      expect(response.status).toBe(404);
    else if (!contract.input.path) expect(response.status).toBe(contract.answer.status);
  });
});

describe('a write', () => {
  test('changes the rows of its own store, which shows that the dump detects changes', async () => {
    const before = await dump(own.storeId);
    await service.post('/v1/pets', { name: 'mine', categoryId: 777_001 }, { key: own.key });
    const after = await dump(own.storeId);
    for (const table of ['pets', 'inventory', 'events', 'stores']) expect(after[table]).not.toEqual(before[table]);
  });

  test('is counted only in its own store', async () => {
    const count = async ({ key }: Member) => (await service.get('/v1/store/inventory', { key })).body.available;
    const [mine, theirs] = [await count(own), await count(foreign)];
    await service.post('/v1/pets', { name: 'mine', categoryId: 1 }, { key: own.key });
    expect([await count(own), await count(foreign)]).toEqual([mine + 1, theirs]);
  });

  test('with a category ID from another store creates that category in its own store', async () => {
    await service.post('/v1/pets', { name: 'mine', categoryId: 777_002 }, { key: own.key });
    const ids = (await dump(own.storeId)).categories?.map((row) => (row as { id: number }).id);
    expect(ids).toContain(777_002);
    expect(
      (await service.get('/v1/pets?categoryId=777002', { key: own.key })).body.map(({ name }: any) => name),
    ).not.toContain(MARK);
  });
});

describe('a list', () => {
  test.each(['', '&sort=name'])(
    'read to its end shows exactly the rows of the caller’s own store%s',
    async (sorted) => {
      for (const member of [own, foreign]) {
        const seen: number[] = [];
        for (let next: string | undefined = `/v1/pets?limit=7${sorted}`; next; ) {
          const response: TestResponse = await service.get(next, { key: member.key });
          seen.push(...response.body.map(({ id }: { id: number }) => id));
          next = /<http:\/\/[^/]+([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
        }
        const stored = ((await dump(member.storeId)).pets ?? []).map((row) => Number((row as { id: number }).id));
        expect(seen.toSorted((a, b) => a - b)).toEqual(stored.toSorted((a, b) => a - b));
      }
    },
  );

  test('stays in the caller’s own store with a cursor from another store', async () => {
    const response = await service.get(`/v1/pets?cursor=${foreign.cursor}&limit=5`, { key: own.key });
    expect(response.status).toBe(200);
    await expectNothingForeign(response);
  });
});
