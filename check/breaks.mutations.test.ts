import { describe, expect, test } from 'bun:test';
import { createOpenapi } from '../generate/openapi/document.ts';
import { findBreaks } from './breaks.ts';
import { exceptCorrections } from './release.ts';

type Json = Record<string, any>;
type Mutations = Record<string, (document: Json) => unknown>;

const DOCUMENT: Json = JSON.parse(JSON.stringify(createOpenapi()));
const TODAY = new Date('2026-11-17T00:00:00Z');

const list = ({ paths }: Json): Json => paths['/pets'].get;
const create = ({ paths }: Json): Json => paths['/pets'].post;
const single = ({ paths }: Json): Json => paths['/pets/{petId}'].get;
const beta = ({ paths }: Json): Json => paths['/store/inventory'].get;
const schema = ({ components }: Json, name: string): Json => components.schemas[name];
const fields = (document: Json, name: string): Json => schema(document, name).properties;
const input = (document: Json): Json => fields(document, 'NewPet');
const output = (document: Json): Json => fields(document, 'Order');
const query = (document: Json, name: string): Json =>
  list(document).parameters.find((each: Json) => each.name === name);
const scheme = ({ components }: Json): Json => components.securitySchemes;
const variable = ({ servers }: Json): Json => servers[1].variables.productionUrl;
const linkOf = (document: Json): Json => Object.values<Json>(create(document).responses[201].links)[0] as Json;
const json = (part: Json): Json => part.content['application/json'];

const BREAKING: Mutations = {
  'the bearer token becomes an API key': (all) =>
    (scheme(all).apiKey = { type: 'apiKey', in: 'header', name: 'X-Api-Key' }),
  'the bearer token becomes OAuth 2': (all) =>
    (scheme(all).apiKey = { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/token', scopes: {} } } }),
  'the bearer token becomes a password': (all) => (scheme(all).apiKey.scheme = 'basic'),
  'the security scheme is removed': (all) => delete scheme(all).apiKey,
  'an operation requires a second key': (all) => (list(all).security = [{ apiKey: [], other: [] }]),
  'an operation requires another key': (all) => (list(all).security = [{ other: [] }]),
  'an operation requires a role': (all) => (list(all).security = [{ apiKey: ['admin'] }]),
  'every operation requires another key': (all) => (all.security = [{ other: [] }]),
  'an operation requires another scope, named as x-scope': (all) => (list(all)['x-scope'] = 'ops:read'),
  'an operation requires another scope': (all) => (list(all).security = [{ apiKey: ['ops:read'] }]),
  'an operation requires a second scope': (all) => list(all).security[0].apiKey.push('ops:read'),
  'an operation for any key requires a scope': ({ paths }) =>
    (paths['/keys/me'].get.security = [{ apiKey: ['keys:write'] }]),
  'every operation for any key requires a scope': (all) => all.security[0].apiKey.push('keys:write'),
  'a stable operation is removed in two weeks': (all) => (list(all)['x-sunset'] = '2026-12-01'),
  'a stable operation is removed in a year': (all) => (list(all)['x-sunset'] = '2027-11-17'),
  'a beta operation is removed in two months': (all) => (beta(all)['x-sunset'] = '2027-01-17'),
  'a removal without a valid date': (all) => (list(all)['x-sunset'] = 'soon'),
  'an earlier removal': (all) => (single(all)['x-sunset'] = '2029-12-05'),
  'a stable operation becomes beta': (all) => (list(all)['x-stability'] = 'beta'),
  'an operation moves to another server': (all) => (list(all).servers = [{ url: '/v2' }]),
  'the server is removed': (all) => (all.servers = [{ url: '/v2' }]),
  'a server variable has another default': (all) => (variable(all).default = 'https://pets.example.org'),
  'a server variable accepts only some values': (all) => (variable(all).enum = [variable(all).default]),
  'a server variable is removed': (all) => delete all.servers[1].variables,
  'a link is removed': (all) => delete create(all).responses[201].links,
  'a link leads to another operation': (all) => (linkOf(all).operationId = 'listOrders'),
  'a number must be a multiple': (all) => (input(all).categoryId.multipleOf = 10),
  'a list must have unique items': (all) => (fields(all, 'NewPetBatch').pets.uniqueItems = true),
  'only one value is accepted': (all) => (input(all).categoryId.const = 1),
  'a value is excluded': (all) => (input(all).name.not = { const: 'Rex' }),
  'a condition is added': (all) =>
    Object.assign(schema(all, 'NewPet'), { if: { required: ['status'] }, else: { required: ['tag'] } }),
  'a field becomes read-only': (all) => (input(all).status = { ...input(all).status, readOnly: true }),
  'a field requires another field': (all) => (schema(all, 'NewPet').dependentRequired = { status: ['tag'] }),
  'names of fields are constrained': (all) => (schema(all, 'NewPet').propertyNames = { maxLength: 6 }),
  'the number of fields is limited': (all) => (schema(all, 'NewPet').maxProperties = 2),
  'a change requires two fields': (all) => (schema(all, 'PetChange').minProperties = 2),
  'other fields are refused': (all) => (schema(all, 'NewPet').additionalProperties = false),
  'other fields are refused, by the newer keyword': (all) => (schema(all, 'NewPet').unevaluatedProperties = false),
  'other fields must be strings': (all) => (schema(all, 'NewPet').additionalProperties = { type: 'string' }),
  'a list must contain a value': (all) => (fields(all, 'KeyCreation').scopes.contains = { const: 'pets:read' }),
  'a keyword of a later standard': (all) => (input(all).name.precision = 2),
  'a string in another encoding': (all) => (input(all).name.contentEncoding = 'base64'),
  'a second part with a narrower bound': (all) => (input(all).name = { allOf: [input(all).name, { maxLength: 20 }] }),
  'a second part with fewer values': (all) => (input(all).status = { allOf: [input(all).status, { enum: ['sold'] }] }),
  'a narrower bound next to alternatives': (all) =>
    (input(all).name = { anyOf: [{ type: 'string' }, input(all).name], maxLength: 20 }),
  'a pattern for a string': (all) => (fields(all, 'WebhookCreation').url.pattern = '^https:'),
  'a shorter text': (all) => (input(all).name.maxLength = 100),
  'a larger minimum': (all) => (fields(all, 'KeyCreation').storeId.minimum = 2),
  'fewer rows in a batch': (all) => (fields(all, 'NewPetBatch').pets.maxItems = 100),
  'a field becomes required': (all) => schema(all, 'NewPet').required.push('status'),
  'a value of a parameter is removed': ({ components }) => components.parameters.PageOrder.schema.enum.pop(),
  'another default': ({ components }) => (components.parameters.PageLimit.schema.default = 50),
  'fewer ids': (all) => (query(all, 'ids').schema.maxItems = 50),
  'ids are serialized differently': (all) => (query(all, 'ids').explode = true),
  'ids become strings': (all) => (query(all, 'ids').schema.items = { type: 'string' }),
  'a parameter of the whole path': ({ paths }) =>
    (paths['/pets'].parameters = [{ name: 'shop', in: 'query', required: true, schema: { type: 'string' } }]),
  'a parameter loses its schema': (all) => delete query(all, 'ids').schema,
  'items lose their schema': (all) => delete query(all, 'ids').schema.items,
  'a request loses its schema': (all) => delete json(create(all).requestBody).schema,
  'a response loses its schema': (all) => delete json(list(all).responses[200]).schema,
  'a list in a response loses the schema of its items': (all) => delete schema(all, 'Pets').items,
  'counts in a response lose their schema': (all) => delete fields(all, 'UsageHour').byStatus.additionalProperties,
  'a field of a response is removed': (all) => delete output(all).placedAt,
  'a field of a response is write-only': (all) => (output(all).placedAt.writeOnly = true),
  'a field of a response may be null': (all) => (output(all).placedAt.type = ['string', 'null']),
  'a field of a response may be missing': (all) => schema(all, 'Order').required.pop(),
  'a field of a response has another format': (all) => (output(all).placedAt.format = 'date'),
  'a field of a response is encoded': (all) => (fields(all, 'Delivery').responseBody.contentEncoding = 'base64'),
  'a value that clients do not know': (all) => schema(all, 'OrderStatus').enum.push('lost'),
  'values may be added later': (all) => (schema(all, 'OrderStatus')['x-extensible'] = true),
  'any value instead of a list': (all) => delete fields(all, 'Delivery').state.enum,
  'a schema is removed': (all) => {
    all.components.schemas.Animal = schema(all, 'Pet');
    const text = JSON.stringify(all).replaceAll('#/components/schemas/Pet"', '#/components/schemas/Animal"');
    Object.assign(all, JSON.parse(text));
    delete all.components.schemas.Pet;
  },
  'a header of a response is removed': (all) => delete list(all).responses[200].headers.Link,
  'a webhook is removed': ({ webhooks }) => delete webhooks['pet.created'],
};

const HARMLESS: Mutations = {
  nothing: () => undefined,
  'a scheme is described differently': (all) => (scheme(all).apiKey.description = 'A key.'),
  'a scheme describes its token format': (all) => (scheme(all).apiKey.bearerFormat = 'ps_live_'),
  'a second scheme': (all) => (scheme(all).other = { type: 'http', scheme: 'basic' }),
  'a second key as an alternative': (all) => (list(all).security = [{ other: [] }, { apiKey: [] }]),
  'no key is needed': (all) => (list(all).security = []),
  'the same security, stated by the operation': ({ paths }) => (paths['/keys/me'].get.security = [{ apiKey: [] }]),
  'a scope is no longer required': (all) => {
    list(all).security = [{ apiKey: [] }];
    list(all)['x-scope'] = 'any key';
  },
  'a scope is named only as x-scope': (all) => delete list(all).security,
  'another scope as an alternative': (all) => list(all).security.push({ apiKey: ['pets:read', 'ops:read'] }),
  'a stable operation is deprecated without a date': (all) => (list(all).deprecated = true),
  'a stable operation is removed in three years': (all) => (list(all)['x-sunset'] = '2029-11-17'),
  'a beta operation is removed in a year': (all) => (beta(all)['x-sunset'] = '2027-11-17'),
  'a later removal': (all) => (single(all)['x-sunset'] = '2031-12-05'),
  'a removal is cancelled': (all) => delete single(all)['x-sunset'],
  'a beta operation becomes stable': (all) => delete beta(all)['x-stability'],
  'a server variable is described differently': (all) => (variable(all).description = 'An address.'),
  'a second server': (all) => all.servers.push({ url: 'https://staging.example/v1' }),
  'a constraint that constrains nothing': (all) =>
    Object.assign(input(all).name, { uniqueItems: false, readOnly: false, writeOnly: true }),
  'descriptions and examples': (all) =>
    Object.assign(input(all).name, { title: 'Name', description: 'A name.', examples: ['Mia'], $comment: '-' }),
  'an extension of the document': (all) => (input(all).name['x-order'] = 1),
  'a longer text': (all) => (input(all).name.maxLength = 500),
  'no bound': (all) => delete input(all).name.maxLength,
  'no pattern': (all) => delete input(all).name.pattern,
  'other fields are accepted': (all) => (schema(all, 'NewPet').additionalProperties = true),
  'an optional field of a request': (all) => (input(all).born = { type: 'string', format: 'date', not: {} }),
  'a field of a response': (all) => (output(all).note = { type: 'string' }),
  'a narrower response': (all) => Object.assign(output(all).id, { minimum: 1, multipleOf: 1, not: { const: 0 } }),
  'an optional parameter': (all) =>
    list(all).parameters.push({ name: 'x', in: 'query', schema: { type: 'string', pattern: '^x$' } }),
  'an event type': (all) => schema(all, 'EventType').enum.push('pet.lost'),
  'an operation': ({ paths }) => (paths['/moods'] = { get: { operationId: 'listMoods', responses: {} } }),
  'a schema': (all) => (all.components.schemas.Mood = { type: 'string' }),
  'a request body as a shared part': (all) => {
    all.components.requestBodies = { NewPet: create(all).requestBody };
    create(all).requestBody = { $ref: '#/components/requestBodies/NewPet' };
  },
  'a schema in two equal parts': (all) => (input(all).name = { allOf: [input(all).name, { maxLength: 255 }] }),
  'another name for an error': (all) => {
    const { BadRequestError: error, ...schemas } = all.components.schemas;
    Object.assign(schemas, { InvalidRequestError: error });
    const text = JSON.stringify({ ...all, components: { ...all.components, schemas } });
    Object.assign(all, JSON.parse(text.replaceAll('schemas/BadRequestError"', 'schemas/InvalidRequestError"')));
  },
};

const breaksOf = (change: Mutations[string]): string[] => {
  const after = structuredClone(DOCUMENT);
  change(after);
  return findBreaks(DOCUMENT, after, TODAY);
};

const countFailures = (mutations: Mutations, isRight: (breaks: string[]) => boolean) => {
  const names = Object.keys(mutations);
  return { mutations: names.length, wrong: names.filter((name) => !isRight(breaksOf(mutations[name] as () => void))) };
};

describe('mutations of this service’s document', () => {
  test('are reported if they break a client', () => {
    expect(countFailures(BREAKING, (breaks) => breaks.length > 0)).toEqual({ mutations: 74, wrong: [] });
  });

  test('are not reported if they are harmless', () => {
    expect(countFailures(HARMLESS, (breaks) => breaks.length === 0)).toEqual({ mutations: 35, wrong: [] });
  });

  test('change the document, except for the one that changes nothing', () => {
    const isSame = (change: Mutations[string]): boolean => {
      const after = structuredClone(DOCUMENT);
      change(after);
      return Bun.deepEquals(after, DOCUMENT);
    };
    const idle = Object.entries({ ...BREAKING, ...HARMLESS }).filter(([, change]) => isSame(change));
    expect(idle.map(([name]) => name)).toEqual(['nothing']);
  });
});

describe('a correction of the document', () => {
  test('is not reported, but everything else is', () => {
    expect(exceptCorrections(['GET /a: b is narrower', 'GET /a: c was removed'], ['b is narrower'])).toEqual([
      'GET /a: c was removed',
    ]);
  });

  test('is reported if the release already contains it', () => {
    expect(exceptCorrections([], ['b is narrower'])).toEqual([
      'check/release.ts: the correction "b is narrower" is no longer needed',
    ]);
  });
});
