import { describe, expect, test } from 'bun:test';
import { createOpenapi } from '../generate/openapi/document.ts';
import { HEADERS } from '../generate/openapi/headers.ts';
import { findBreaks } from './breaks.ts';

type Json = Record<string, any>;

const DOCUMENT: Json = {
  servers: [{ url: '/v1' }],
  security: [{ apiKey: [] }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        'x-scope': 'pets:read',
        parameters: [
          { $ref: '#/components/parameters/limit' },
          { name: 'ids', in: 'query', style: 'form', explode: false, schema: { type: 'array' } },
          { name: 'name', in: 'query', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            headers: { Link: { $ref: '#/components/headers/Link' } },
            content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } } },
          },
          400: { $ref: '#/components/responses/BadRequest' },
        },
      },
      post: {
        operationId: 'createPet',
        'x-scope': 'pets:write',
        requestBody: {
          required: false,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/NewPet' } },
            'text/csv': { schema: { type: 'string' } },
          },
        },
        responses: { 201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } } },
      },
    },
    '/keys/{keyId}': { get: { operationId: 'getKey', 'x-sunset': '2030-12-05', 'x-stability': 'beta', responses: {} } },
    '/ping': { get: { operationId: 'ping', security: [], responses: {} } },
    '/moods': { get: { operationId: 'listMoods', 'x-stability': 'experimental', responses: {} } },
  },
  webhooks: {
    'pet.created': {
      post: {
        operationId: 'petCreatedEvent',
        parameters: [{ name: 'webhook-id', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } },
        },
        responses: {},
      },
    },
  },
  components: {
    parameters: {
      limit: { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 100, default: 20 } },
    },
    headers: { Link: { required: true, schema: { type: 'string' } } },
    responses: {
      BadRequest: {
        content: {
          'application/json': {
            schema: {
              $ref: '#/components/schemas/Error',
              properties: { code: { enum: ['invalid_json', 'invalid_request'] } },
            },
          },
        },
      },
    },
    schemas: {
      Error: {
        type: 'object',
        properties: { code: { type: 'string', 'x-extensible': true }, status: { type: 'integer' } },
        required: ['code', 'status'],
      },
      Status: { type: 'string', enum: ['available', 'sold'] },
      Pet: {
        type: 'object',
        properties: {
          id: { type: 'integer', format: 'int64' },
          name: { type: 'string' },
          status: { allOf: [{ $ref: '#/components/schemas/Status' }], description: 'Where it stands.' },
          owner: { type: ['string', 'null'] },
          parent: { anyOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'null' }] },
        },
        required: ['id', 'name'],
      },
      NewPet: {
        type: 'object',
        properties: {
          name: { type: 'string', maxLength: 255, pattern: '^.+$' },
          tags: { type: 'array', maxItems: 9, items: { type: 'string' } },
          status: { $ref: '#/components/schemas/Status' },
          weight: { type: 'number' },
        },
        required: ['name'],
      },
      PetCreated: { type: 'object', properties: { type: { enum: ['pet.created'] }, at: { type: 'string' } } },
      PetDeleted: { type: 'object', properties: { type: { enum: ['pet.deleted'] } } },
      Event: {
        oneOf: [{ $ref: '#/components/schemas/PetCreated' }, { $ref: '#/components/schemas/PetDeleted' }],
        discriminator: { propertyName: 'type' },
        'x-extensible': true,
      },
    },
  },
};

const breaksOf = (change: (document: Json) => void): string[] => {
  const after = structuredClone(DOCUMENT);
  change(after);
  return findBreaks(DOCUMENT, after);
};

const list = ({ paths }: Json): Json => paths['/pets'].get;
const create = ({ paths }: Json): Json => paths['/pets'].post;
const schema = ({ components }: Json, name: string): Json => components.schemas[name];
const properties = (document: Json, name: string): Json => schema(document, name).properties;
const codes = ({ components }: Json): string[] =>
  components.responses.BadRequest.content['application/json'].schema.properties.code.enum;

const tellInParts = (document: Json, required: string[]): void => {
  const { id, ...rest } = properties(document, 'Pet');
  Object.assign(document.components.schemas, {
    Numbered: { type: 'object', properties: { id }, required: ['id'] },
    Pet: { allOf: [{ $ref: '#/components/schemas/Numbered' }, { type: 'object', properties: rest, required }] },
  });
};

type Rows = [what: string, change: (document: Json) => unknown, finding: string][];

const BREAKING: Rows = [
  ['a removed method', ({ paths }) => delete paths['/pets'].post, 'POST /pets was removed'],
  ['a new name', (all) => (list(all).operationId = 'pets'), 'GET /pets is now called pets (was listPets)'],
  ['a scope', (all) => (list(all)['x-scope'] = 'ops:read'), 'GET /pets requires the scope ops:read (was pets:read)'],
  ['a removed parameter', (all) => list(all).parameters.pop(), 'GET /pets: query name was removed'],
  [
    'a new required parameter',
    (all) => list(all).parameters.push({ name: 'x', in: 'query', required: true, schema: {} }),
    'GET /pets: query x is now required',
  ],
  [
    'a parameter that becomes required',
    ({ components }) => (components.parameters.limit.required = true),
    'GET /pets: query limit is now required',
  ],
  [
    'a smaller parameter bound',
    ({ components }) => (components.parameters.limit.schema.maximum = 50),
    'GET /pets: query limit has maximum 50 (was 100)',
  ],
  ['a removed request body', (all) => delete create(all).requestBody, 'POST /pets: the body was removed'],
  [
    'a body that becomes required',
    (all) => (create(all).requestBody.required = true),
    'POST /pets: the body is now required',
  ],
  [
    'a removed request media type',
    (all) => delete create(all).requestBody.content['text/csv'],
    'POST /pets: the body is no longer text/csv',
  ],
  ['a removed response', (all) => delete list(all).responses[400], 'GET /pets: the response 400 was removed'],
  [
    'a removed response body',
    (all) => delete create(all).responses[201].content,
    'POST /pets: the response 201 is no longer application/json',
  ],
  [
    'a removed response header',
    (all) => delete list(all).responses[200].headers.Link,
    'GET /pets: the response 200 no longer has the header Link',
  ],
  [
    'a header that is no longer always present',
    ({ components }) => delete components.headers.Link.required,
    'GET /pets: the response 200 no longer always has the header Link',
  ],
  [
    'another header type',
    ({ components }) => (components.headers.Link.schema.type = 'integer'),
    'GET /pets: the response 200, header Link is now integer (was string)',
  ],
  ['a removed code', (all) => codes(all).shift(), 'GET /pets: the response 400.code can no longer be invalid_json'],
  ['a removed response field', (all) => delete properties(all, 'Pet').owner, 'Pet in answers.owner was removed'],
  [
    'a response field that is no longer always present',
    (all) => schema(all, 'Pet').required.pop(),
    'Pet in answers.name is no longer always present',
  ],
  [
    'a response field that is no longer always present in a part',
    (all) => tellInParts(all, []),
    'Pet in answers.name is no longer always present',
  ],
  [
    'a response field that may now be null',
    (all) => (properties(all, 'Pet').name.type = ['string', 'null']),
    'Pet in answers.name is now string or null (was string)',
  ],
  [
    'another form of a response field',
    (all) => properties(all, 'Pet').parent.anyOf.push({ type: 'string' }),
    'Pet in answers.parent may now be string',
  ],
  [
    'another format',
    (all) => (properties(all, 'Pet').id.format = 'int32'),
    'Pet in answers.id has the format int32 (was int64)',
  ],
  ['a removed request field', (all) => delete properties(all, 'NewPet').tags, 'NewPet in requests.tags was removed'],
  [
    'a request field that becomes required',
    (all) => schema(all, 'NewPet').required.push('weight'),
    'NewPet in requests.weight is now required',
  ],
  [
    'a narrower request type',
    (all) => (properties(all, 'NewPet').weight.type = 'integer'),
    'NewPet in requests.weight is now integer (was number)',
  ],
  [
    'a shorter text limit in a request',
    (all) => (properties(all, 'NewPet').name.maxLength = 20),
    'NewPet in requests.name has maxLength 20 (was 255)',
  ],
  [
    'a new bound',
    (all) => (properties(all, 'NewPet').tags.minItems = 1),
    'NewPet in requests.tags has minItems 1 (was none)',
  ],
  [
    'another request pattern',
    (all) => (properties(all, 'NewPet').name.pattern = '^[a-z]$'),
    'NewPet in requests.name has the pattern ^[a-z]$ (was ^.+$)',
  ],
  [
    'another default',
    ({ components }) => (components.parameters.limit.schema.default = 50),
    'GET /pets: query limit has the default 50 (was 20)',
  ],
  [
    'another serialization of a list',
    (all) => (list(all).parameters[1].explode = true),
    'GET /pets: query ids is serialized differently',
  ],
  [
    'a request that no longer accepts other fields',
    (all) => (schema(all, 'NewPet').additionalProperties = false),
    'NewPet in requests no longer accepts other fields',
  ],
  ['stability', (all) => (list(all)['x-stability'] = 'experimental'), 'GET /pets is now only experimental'],
  [
    'an earlier removal of an operation',
    ({ paths }) => (paths['/keys/{keyId}'].get['x-sunset'] = '2027-01-01'),
    'GET /keys/{keyId} is removed on 2027-01-01 (was 2030-12-05)',
  ],
  [
    'a key where no key was needed',
    ({ paths }) => delete paths['/ping'].get.security,
    'GET /ping requires another kind of key',
  ],
  ['a removed server', ({ servers }) => (servers[0].url = '/v2'), 'the server /v1 was removed'],
  ['a removed webhook', ({ webhooks }) => delete webhooks['pet.created'], 'webhook pet.created was removed'],
  [
    'a webhook header that is no longer always sent',
    ({ webhooks }) => (webhooks['pet.created'].post.parameters[0].required = false),
    'webhook pet.created: header webhook-id is no longer always present',
  ],
  [
    'a removed webhook header',
    ({ webhooks }) => webhooks['pet.created'].post.parameters.pop(),
    'webhook pet.created: header webhook-id was removed',
  ],
  [
    'a removed field of a webhook body',
    (all) => delete properties(all, 'PetCreated').at,
    'PetCreated in answers.at was removed',
  ],
  ['an event type', (all) => schema(all, 'Event').oneOf.pop(), 'Event in answers can no longer be pet.deleted'],
];

describe('a change to the document is reported as a break:', () => {
  test.each(BREAKING)('%s', (_, change, seen) => {
    expect(breaksOf(change)).toEqual([seen]);
  });

  test('a removed path', () => {
    expect(breaksOf(({ paths }) => delete paths['/pets'])).toEqual(['GET /pets was removed', 'POST /pets was removed']);
  });

  test('a removed value, in requests and in responses', () => {
    expect(breaksOf((all) => schema(all, 'Status').enum.pop())).toEqual([
      'Pet in answers.status can no longer be sold',
      'Status in requests can no longer be sold',
    ]);
  });

  test('a new value in responses, which clients do not know', () => {
    expect(breaksOf((all) => schema(all, 'Status').enum.push('lost'))).toEqual([
      'Pet in answers.status may now be lost',
    ]);
  });
});

const ALLOWED: [what: string, change: (document: Json) => unknown][] = [
  ['nothing', () => undefined],
  ['a new operation', ({ paths }) => (paths['/pets'].delete = { responses: {} })],
  ['a new parameter', (all) => list(all).parameters.push({ name: 'x', in: 'query', required: false, schema: {} })],
  ['a larger bound', ({ components }) => (components.parameters.limit.schema.maximum = 1000)],
  ['a new response', (all) => (list(all).responses[409] = { description: 'A conflict' })],
  ['a new header', (all) => (list(all).responses[200].headers.ETag = { schema: { type: 'string' } })],
  ['a new error code', (all) => codes(all).push('invalid_cursor')],
  ['a new response field', (all) => (properties(all, 'Pet').born = { type: 'string' })],
  ['a new request field', (all) => (properties(all, 'NewPet').born = { type: 'string' })],
  ['a request field that is no longer required', (all) => schema(all, 'NewPet').required.pop()],
  ['a response field that is always present', (all) => schema(all, 'Pet').required.push('status')],
  ['a request field that may be null', (all) => (properties(all, 'NewPet').weight.type = ['number', 'null'])],
  ['a new request media type', (all) => (create(all).requestBody.content['text/xml'] = { schema: {} })],
  ['a new webhook', ({ webhooks }) => (webhooks['pet.deleted'] = webhooks['pet.created'])],
  ['a new event type', (all) => schema(all, 'Event').oneOf.push({ properties: { type: { enum: ['pet.lost'] } } })],
  ['another description', (all) => (properties(all, 'Pet').name.description = 'Its name.')],
  ['an operation that becomes stable', ({ paths }) => delete paths['/keys/{keyId}'].get['x-stability']],
  ['an operation that no longer needs a key', (all) => (list(all).security = [])],
  ['a later removal date', ({ paths }) => (paths['/keys/{keyId}'].get['x-sunset'] = '2031-01-01')],
  ['the removal of an experimental operation', ({ paths }) => delete paths['/moods']],
  [
    'a new name for the same schema',
    (all) => {
      all.components.schemas.Animal = schema(all, 'Pet');
      create(all).responses[201].content['application/json'].schema = { $ref: '#/components/schemas/Animal' };
    },
  ],
  ['an object that extends another', (all) => tellInParts(all, ['name'])],
  [
    'a shared part that is now inline',
    (all) => (list(all).responses[400] = structuredClone(all.components.responses.BadRequest)),
  ],
];

describe('a change to the document is allowed:', () => {
  test.each(ALLOWED)('%s', (_, change) => {
    expect(breaksOf(change)).toEqual([]);
  });
});

describe('the document of this service', () => {
  const before: Json = JSON.parse(JSON.stringify(createOpenapi()));
  const breaksWith = (parts: Json) => findBreaks(before, { ...before, ...parts });
  const { components } = before;

  test('is compared operation by operation and webhook by webhook', () => {
    const operations = Object.values<Json>(before.paths).flatMap((item) => Object.values(item));
    expect(breaksWith({ paths: {} })).toHaveLength(operations.length);
    expect(breaksWith({ webhooks: {} })).toEqual(
      Object.keys(before.webhooks).map((type) => `webhook ${type} was removed`),
    );
  });

  test('is compared header by header', () => {
    const headers = Object.fromEntries(
      Object.entries<Json>(components.headers).map(([name, header]) => [name, { ...header, schema: { type: 'null' } }]),
    );
    const seen = breaksWith({ components: { ...components, headers } });
    const words = seen.join();
    for (const name of Object.keys(HEADERS)) expect(words).toContain(`header ${name} is now null`);
  });

  test('is compared schema by schema and field by field', () => {
    const changed = (value: unknown): any => {
      if (Array.isArray(value)) return value.map(changed);
      if (typeof value !== 'object' || value === null) return value;
      const inner = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changed(part)]));
      return typeof inner.type === 'string' && inner.type !== 'object' ? { ...inner, format: 'changed' } : inner;
    };
    const seen = breaksWith({ components: { ...components, schemas: changed(components.schemas) } });
    let compared = 0;
    for (const [name, { properties = {} }] of Object.entries<Json>(components.schemas)) {
      const place = ['Error', 'EventEnvelope'].includes(name) ? '' : `${name} in `;
      for (const [field, { type }] of Object.entries<Json>(properties)) {
        if (typeof type !== 'string' || type === 'object') continue;
        const said = `.${field} has the format changed`;
        const isReported = seen.some((text) => text.startsWith(place) && text.includes(said));
        expect([name, field, isReported]).toEqual([name, field, true]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(50);
  });
});
