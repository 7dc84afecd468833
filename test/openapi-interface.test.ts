import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { FAILURES } from '../src/kernel/failure.ts';
import { dereference, resolve } from './dereference.ts';
import { joinParts } from './resolve-reference.ts';
import { type Service, startService } from './service.ts';

type Json = Record<string, any>;

let service: Service;
let document: Json;
beforeAll(async () => {
  service = await startService();
  document = dereference((await service.get('/openapi.json', { key: null })).body);
});
afterAll(() => service.stop());

const operations = (): Json[] => Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item));
const operation = (id: string): Json => operations().find(({ operationId }) => operationId === id) as Json;

describe('the parameters of listPets', () => {
  const parameter = (name: string) => operation('listPets').parameters.find((each: Json) => each.name === name);

  test('are those of the interface plus the added ones', () => {
    const query = operation('listPets').parameters.filter((each: Json) => each.in === 'query');
    const names = query.map(({ name }: Json) => name);
    expect(names.sort()).toEqual(['categoryId', 'cursor', 'ids', 'limit', 'name', 'order', 'search', 'sort', 'status']);
    for (const each of query) expect(each.required ?? false).toBeFalse();
  });

  test('limit is an integer from 1 to 100, 20 by default', () => {
    expect(parameter('limit').schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
  });

  test('status is a PetStatus', () => {
    expect(parameter('status').schema).toEqual({ $ref: '#/components/schemas/PetStatus' });
  });

  test('ids is a list of 1 to 100 int64, separated by commas in the document', () => {
    expect(parameter('ids')).toMatchObject({ style: 'form', explode: false });
    const schema = { type: 'array', items: { type: 'integer', format: 'int64' }, minItems: 1, maxItems: 100 };
    expect(parameter('ids').schema).toMatchObject(schema);
  });

  test('petId of getPet is an int64 in the path', () => {
    const [petId] = operation('getPet').parameters;
    expect(petId).toMatchObject({ name: 'petId', in: 'path', required: true });
    expect(petId.schema).toMatchObject({ type: 'integer', format: 'int64' });
  });
});

describe('the responses in the OpenAPI document', () => {
  const schemaOf = (id: string, status: string) => {
    const { $ref } = operation(id).responses[status].content['application/json'].schema;
    return (resolve(document, $ref).allOf?.[0].$ref ?? $ref).split('/').at(-1);
  };

  const rows: [string, string, string][] = [
    ...(['listPets', 'createPet', 'getPet'] as const).map((id): [string, string, string] => [id, '401', 'Error']),
    ['listPets', '200', 'Pets'],
    ['createPet', '201', 'Pet'],
    ['createPet', '400', 'Error'],
    ['getPet', '200', 'Pet'],
    ['getPet', '404', 'Error'],
    ['getPet', '410', 'Error'],
    ['listPets', '429', 'Error'],
  ];
  test.each(rows)('%s answers %s with %s', (id, status, schema) => {
    expect(schemaOf(id, status)).toBe(schema);
  });

  test('createPet requires a NewPet', () => {
    const { required, content } = operation('createPet').requestBody;
    expect(required).toBeTrue();
    const example = { name: 'Rex', categoryId: 1 };
    expect(content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/NewPet' }, example } });
  });

  test('list every error code under its own status', () => {
    const seen = new Set<string>();
    for (const { responses } of operations()) {
      for (const [status, { content }] of Object.entries<Json>(responses)) {
        if (Number(status) < 400) continue;
        const { schema } = content['application/json'];
        const { properties, examples } = joinParts(document, resolve(document, schema.$ref));
        expect(examples).toMatchObject([{ code: properties.code.enum[0], status: Number(status) }]);
        for (const code of properties.code.enum) {
          expect([code, FAILURES[code as keyof typeof FAILURES]?.status as number]).toEqual([code, Number(status)]);
          seen.add(code);
        }
      }
    }
    const missing = Object.keys(FAILURES).filter((code) => !seen.has(code));
    expect(missing).toEqual(['route_not_found', 'method_not_allowed']);
  });
});

describe('the schemas', () => {
  const int64 = { type: 'integer', format: 'int64' };
  const status = { $ref: '#/components/schemas/PetStatus' };
  const tables: [string, Json, string[]][] = [
    ['Pet', { id: int64, name: { type: 'string' }, categoryId: int64, status }, ['id', 'name', 'categoryId']],
    ['NewPet', { name: { type: 'string' }, categoryId: int64, status }, ['name', 'categoryId']],
    [
      'Error',
      { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
      ['code', 'message', 'status'],
    ],
  ];
  test.each(tables)('%s has the fields of the interface and no others', (name, properties, required) => {
    const schema = document.components.schemas[name];
    expect(schema.type).toBe('object');
    expect(Object.keys(schema.properties)).toEqual(Object.keys(properties));
    for (const [field, shape] of Object.entries(properties)) {
      const { allOf = [], ...own } = schema.properties[field];
      expect(Object.assign({}, own, ...allOf)).toMatchObject(shape);
    }
    expect(schema.required.sort()).toEqual([...required].sort());
    expect(schema).not.toHaveProperty('additionalProperties');
  });

  test('PetStatus is one of available, pending, sold', () => {
    expect(document.components.schemas.PetStatus).toMatchObject({
      type: 'string',
      enum: ['available', 'pending', 'sold'],
    });
  });

  test('Pets is an array of Pet', () => {
    const schema = document.components.schemas.Pets;
    expect(schema).toMatchObject({ type: 'array', items: { $ref: '#/components/schemas/Pet' } });
  });
});
