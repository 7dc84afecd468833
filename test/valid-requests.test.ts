import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SCOPES } from '../src/kernel/contract.ts';
import { MAX_INT64, MIN_INT64 } from './arbitrary-bodies.ts';
import { createDescription } from './described-answer.ts';
import { PROPERTY_TIMEOUT_MS, runs } from './property-runs.ts';
import { resolveReference } from './resolve-reference.ts';
import { type Service, startService } from './service.ts';

type Json = Record<string, any>;

let service: Service;
let document: Json;
let description: ReturnType<typeof createDescription>;
beforeAll(async () => {
  service = await startService();
  document = (await service.get('/openapi.json', { key: null })).body;
  description = createDescription(document);
});
afterAll(() => service.stop());

const quote = (text: string): string => JSON.stringify(text);

const BEYOND_SCHEMAS: Record<string, fc.Arbitrary<string>> = {
  petId: fc.constant('"{petId}"'),
  into: fc.constant('"{categoryId}"'),
  keyId: fc.constant('"{keyId}"'),
  url: fc
    .tuple(fc.domain({ size: 'xsmall' }), fc.webPath())
    .map(([host, path]) => quote(`https://${host}.example.com${path}`)),
  expiresAt: fc
    .date({ noInvalidDate: true, min: new Date('2030-01-01'), max: new Date('9998-12-31') })
    .map((date) => quote(date.toISOString())),
};

const integer = ({ format, minimum, maximum }: Json): fc.Arbitrary<string> => {
  const [least, most] = format === 'int32' ? [-(2n ** 31n), 2n ** 31n - 1n] : [MIN_INT64, MAX_INT64];
  const [min, max] = [BigInt(minimum ?? least), BigInt(maximum ?? most)];
  return fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max)).map(String);
};

const text = ({ minLength = 0, maxLength = 100, pattern = '' }: Json): fc.Arbitrary<string> =>
  fc
    .string({ unit: 'binary', minLength, maxLength, size: 'max' })
    .filter((value) => new RegExp(pattern, 'u').test(value))
    .map(quote);

const valid = (given: Json): fc.Arbitrary<string> => {
  const schema = resolveReference(document, given);
  const [type, other] = [schema.type].flat();
  if (other === 'null') return fc.oneof(fc.constant('null'), valid({ ...schema, type }));
  if (schema.enum) return fc.constantFrom(...schema.enum.map(quote));
  if (type === 'integer') return integer(schema);
  if (type === 'boolean') return fc.constantFrom('true', 'false');
  if (type === 'string') return text(schema);
  if (type === 'array') {
    const { minItems = 0, maxItems = 10, items } = schema;
    const bounds = { minLength: minItems, maxLength: Math.min(maxItems, 25) };
    return fc.array(valid(items), bounds).map((values) => `[${values}]`);
  }
  const fields = Object.entries<Json>(schema.properties).map(([name, field]) => {
    const known = BEYOND_SCHEMAS[name];
    const nullable = known && [field.type].flat().includes('null') ? fc.oneof(known, fc.constant('null')) : known;
    return [name, nullable ?? valid(field)];
  });
  return fc
    .record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<string>>, { requiredKeys: schema.required ?? [] })
    .map((chosen) => `{${Object.entries(chosen).map(([name, value]) => `${quote(name)}:${value}`)}}`);
};

const LIMITS = { perMinute: 1_000, perDay: 10_000 };

const CREATE: Record<string, () => Promise<Json>> = {
  petId: async () => (await service.post('/v1/pets', { name: 'Rex', categoryId: 1 })).body,
  categoryId: async () => (await service.post('/v1/categories', { name: 'Hedgehogs' })).body,
  webhookId: async () => (await service.post('/v1/webhooks', { url: 'https://shop.example/hooks' })).body,
  keyId: async () =>
    (await service.post('/v1/keys', { name: 'Desk', plan: 'enterprise', limits: LIMITS, scopes: SCOPES, storeId: 1 }))
      .body,
};

const fill = async (template: string, asJson = false): Promise<string> => {
  const [, name] = /\{(\w+)\}/.exec(template) ?? [];
  const create = CREATE[name ?? ''];
  if (!name || !create) return template;
  const { id } = await create();
  return template.replaceAll(asJson ? `"{${name}}"` : `{${name}}`, asJson ? quote(id) : String(id));
};

const clearWebhooks = async (): Promise<void> => {
  const { body } = await service.get('/v1/webhooks?limit=100');
  for (const { id } of body) await service.call('DELETE', `/v1/webhooks/${id}`);
};

type Operation = { name: string; method: string; path: string; schema: Json };

const operationsWithBodies = (): Operation[] =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([, { requestBody }]) => requestBody)
      .map(([method, { operationId, requestBody }]) => ({
        name: operationId,
        method: method.toUpperCase(),
        path,
        schema: requestBody.content['application/json'].schema,
      })),
  );

/**
 * The operations with a body, in the order of the OpenAPI document. Add the name of each new operation that has a body.
 */
const OPERATIONS = [
  ...['createPet', 'createPetBatch', 'updatePet', 'placeOrder', 'mergeCategory', 'createCategory', 'updateCategory'],
  ...['createWebhook', 'updateWebhook', 'createKey', 'updateKey', 'rotateKey'],
];

test('every operation with a body is tested', () => {
  expect(operationsWithBodies().map(({ name }) => name)).toEqual(OPERATIONS);
});

test.each(OPERATIONS)(
  '%s accepts every body that its schema allows',
  async (name) => {
    const { method, path, schema } = operationsWithBodies().find((each) => each.name === name) as Operation;
    const schemaName = schema.$ref.split('/').at(-1);
    const allowed = valid(schema).filter(
      (body) => description.faultsOf(schemaName, JSON.parse(body.replace(/"\{(petId|categoryId)\}"/, '1'))) === '',
    );
    let sent = 0;
    const accepted = fc.asyncProperty(allowed, async (body) => {
      const filled = await fill(body, true);
      const { status, text } = await service.call(method, `/v1${await fill(path)}`, { body: filled });
      if (name.endsWith('Webhook')) await clearWebhooks();
      sent += 1;
      expect([filled, status < 300 ? '' : text]).toEqual([filled, '']);
    });
    await fc.assert(accepted, runs(0.03));
    expect(sent).toBeGreaterThanOrEqual(runs(0.03).numRuns);
  },
  PROPERTY_TIMEOUT_MS,
);

const schemaOf = (name: string): Json => document.components.parameters[name].schema;

test(
  'every If-Match that the document allows is read, and others are refused',
  async () => {
    const { id } = (await service.post('/v1/pets', { name: 'Rex', categoryId: 1 })).body;
    const pattern = new RegExp(schemaOf('If-Match').pattern);
    const header = fc.oneof(fc.stringMatching(pattern), fc.stringMatching(/^[!-~]([ -~]{0,10}[!-~])?$/));
    const seen = new Set<boolean>();
    const decided = fc.asyncProperty(header, async (value) => {
      // Skips lists with empty items, because HTTP allows them (RFC 9110 section 5.6.1.2) but the pattern in the
      // document does not.
      fc.pre(pattern.test(value) || !/^,|,\s*,|,$/.test(value));
      const { status } = await service.call('PATCH', `/v1/pets/${id}`, { body: {}, headers: { 'If-Match': value } });
      seen.add(pattern.test(value));
      expect([value, status === 400]).toEqual([value, !pattern.test(value)]);
    });
    await fc.assert(decided, runs(0.1));
    expect(seen.size).toBe(2);
  },
  PROPERTY_TIMEOUT_MS,
);

test(
  'every cursor of the service matches the document, and others are refused',
  async () => {
    const pattern = new RegExp(schemaOf('PageCursor').pattern);
    const link = (await service.get('/v1/pets?limit=1&sort=name')).headers.get('link') ?? '';
    expect(new URL(link.slice(1, link.indexOf('>'))).searchParams.get('cursor')).toMatch(pattern);
    const wrong = fc.string({ maxLength: 30 }).filter((value) => !pattern.test(value));
    const refused = fc.asyncProperty(wrong, async (value) => {
      const { status, body } = await service.get(`/v1/pets?cursor=${encodeURIComponent(value)}`);
      expect([status, body.code]).toEqual([400, 'invalid_cursor']);
    });
    await fc.assert(refused, runs(0.05));
  },
  PROPERTY_TIMEOUT_MS,
);
