import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Ajv2020 } from 'ajv/dist/2020';
import type { z } from 'zod';
import { failuresOf } from '../generate/openapi/failures.ts';
import { ANSWER_HEADERS } from '../generate/openapi/headers.ts';
import { CONTRACTS } from '../src/contracts.ts';
import { METHODS } from '../src/kernel/contract.ts';
import { EVENT_TYPES } from '../src/kernel/event.ts';
import { FAILURES } from '../src/kernel/failure.ts';
import { dereference, resolve } from './dereference.ts';
import { joinParts } from './resolve-reference.ts';
import { type Service, startService } from './service.ts';

type Json = Record<string, any>;

const DOCUMENTED = CONTRACTS.filter(({ environment }) => !environment).length;

let service: Service;
let served: Json;
let document: Json;
beforeAll(async () => {
  service = await startService();
  served = (await service.get('/openapi.json', { key: null })).body;
  document = dereference(served);
});
afterAll(() => service.stop());

const operations = (): Json[] => Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item));
const operation = (id: string): Json => operations().find(({ operationId }) => operationId === id) as Json;

const walk = function* (value: unknown, way: string[] = []): Generator<[string[], Json]> {
  if (typeof value !== 'object' || value === null) return;
  yield [way, value as Json];
  for (const [name, inner] of Object.entries(value)) yield* walk(inner, [...way, name]);
};

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1 for interface version 1.0.0', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: '1.0.0' });
  });

  test('limits the length of every string and list in a request body', () => {
    const unbounded: string[] = [];
    const look = (schema: Json, way: string): void => {
      if (schema.$ref) look(resolve(document, schema.$ref), way);
      const kinds = [schema.type].flat();
      const isBounded = schema.enum !== undefined || Number.isFinite(schema.maxLength ?? schema.maxItems);
      if ((kinds.includes('string') || kinds.includes('array')) && !isBounded) unbounded.push(way);
      for (const [name, inner] of Object.entries<Json>(schema.properties ?? {})) look(inner, `${way}.${name}`);
      if (schema.items) look(schema.items, `${way}[]`);
    };
    const bodies = operations().filter(({ requestBody }) => requestBody);
    expect(bodies.length).toBeGreaterThan(5);
    for (const { operationId, requestBody } of bodies) {
      for (const { schema } of Object.values<Json>(requestBody.content)) look(schema, operationId);
    }
    expect(unbounded).toEqual([]);
  });

  test('has only members that OpenAPI defines', () => {
    const known = ['openapi', 'info', 'servers', 'security', 'tags', 'externalDocs', 'paths', 'webhooks', 'components'];
    expect(Object.keys(document).sort()).toEqual(known.sort());
    for (const item of Object.values<Json>(document.paths)) {
      for (const method of Object.keys(item)) expect(METHODS.map((one) => one.toLowerCase())).toContain(method);
    }
  });

  test('names each operation once', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(ids.length).toBeGreaterThan(2);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('names errors readably, in at most six words', () => {
    const errors = Object.keys(served.components.schemas).filter((name) => name.endsWith('Error'));
    expect(errors.length).toBeGreaterThan(20);
    const long = errors.filter((name) => (name.match(/[A-Z]/g) ?? []).length > 6 || /[a-z]Or[A-Z]/.test(name));
    expect(long).toEqual([]);
    const repeated = errors.filter((name) => name.endsWith('ErrorError'));
    expect(repeated).toEqual([]);
  });

  test('links a new pet and a new order to operations that take its id', () => {
    const byId = new Map(operations().map((operation) => [operation.operationId, operation]));
    const links = operations().flatMap(({ responses }) => Object.values<Json>(responses[201]?.links ?? {}));
    expect(links).toHaveLength(5);
    for (const { operationId, parameters = {}, requestBody = {} } of links) {
      const { deprecated, parameters: known, requestBody: body } = byId.get(operationId) as Json;
      expect([operationId, deprecated]).toEqual([operationId, undefined]);
      const names = known.map(({ name }: Json) => name);
      for (const name of Object.keys(parameters)) expect(names).toContain(name);
      const [{ schema = {} } = {}] = Object.values<Json>(body?.content ?? {});
      const fields = Object.keys(schema.$ref ? resolve(served, schema.$ref).properties : {});
      for (const name of Object.keys(requestBody)) expect(fields).toContain(name);
    }
  });

  test('contains everything that it refers to', () => {
    const refs = [...walk(served)].map(([, value]) => value.$ref).filter((ref) => ref !== undefined);
    expect(refs.length).toBeGreaterThan(0);
    for (const ref of refs) {
      expect(ref).toStartWith('#/components/');
      expect([ref, resolve(served, ref)]).toEqual([ref, expect.any(Object)]);
    }
  });

  test('contains no unused component', () => {
    const refs = new Set([...walk(served)].map(([, value]) => value.$ref));
    for (const kind of ['schemas', 'headers', 'parameters', 'responses']) {
      for (const name of Object.keys(served.components[kind])) expect(refs).toContain(`#/components/${kind}/${name}`);
    }
  });

  test('repeats no parameter or response, which keeps it below a quarter of its expanded length', () => {
    const written = Object.values<Json>({ ...served.paths, ...served.webhooks })
      .flatMap((item) => Object.values<Json>(item))
      .flatMap(({ parameters, responses }) => [...parameters, ...Object.values<Json>(responses)])
      .filter(({ $ref }) => $ref === undefined)
      .map((part) => JSON.stringify(part.in ? part : { ...part, description: '' }));
    expect(new Set(written).size).toBe(written.length);
    expect(JSON.stringify(served).length / JSON.stringify(document).length).toBeLessThan(0.25);
  });

  test('has exactly the path parameters that its paths name', () => {
    for (const [path, item] of Object.entries<Json>(document.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters } of Object.values<Json>(item)) {
        const inPath = parameters.filter((parameter: Json) => parameter.in === 'path');
        expect(inPath.map(({ name }: Json) => name)).toEqual(named);
        for (const parameter of inPath) expect(parameter.required).toBeTrue();
      }
    }
  });

  test('describes every response, each with the shared headers', () => {
    const shared = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id'];
    expect(operations()).toHaveLength(DOCUMENTED);
    for (const { responses } of operations()) {
      for (const [status, response] of Object.entries<Json>(responses)) {
        expect(status).toMatch(/^[2345]\d\d$/);
        expect(response.description).toMatch(/\S/);
        expect(Object.keys(response.headers)).toEqual(expect.arrayContaining(shared));
      }
      for (const status of ['400', '401', '429', '500', '503']) expect(responses).toHaveProperty(status);
    }
  });

  test('requires a bearer key everywhere, and names the required scope', () => {
    expect(document.security).toEqual([{ apiKey: [] }]);
    expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
    for (const { id, scope } of CONTRACTS.filter(({ environment }) => !environment)) {
      expect(operation(id).security).toEqual(scope === 'any key' ? undefined : [{ apiKey: [scope] }]);
      expect(operation(id).description).toContain(scope === 'any key' ? 'any valid key' : `the \`${scope}\` scope`);
    }
  });

  test('puts every operation under one declared tag, Pets and Store first', () => {
    const tags = document.tags.map(({ name }: Json) => name);
    expect(tags.slice(0, 2)).toEqual(['Pets', 'Store']);
    expect(operations()).toHaveLength(DOCUMENTED);
    for (const each of operations()) {
      expect(each.tags).toHaveLength(1);
      expect(tags).toContain(each.tags[0]);
    }
  });

  test('marks no operation of the interface as unstable', () => {
    for (const id of ['listPets', 'createPet', 'getPet']) expect(operation(id)).not.toHaveProperty('x-stability');
    expect(operations()).toHaveLength(DOCUMENTED);
    for (const { 'x-stability': stability } of operations()) {
      expect([undefined, 'beta', 'experimental']).toContain(stability);
    }
  });

  test('marks only getPet as deprecated, with its sunset date', () => {
    const deprecated = operations().filter((each) => each.deprecated);
    expect(deprecated.map((each) => [each.operationId, each['x-deprecated-sunset'], each['x-sunset']])).toEqual([
      ['getPet', '2030-12-05', '2030-12-05'],
    ]);
  });
});

describe('the server address in the OpenAPI document', () => {
  test('is relative to the document, or chosen for production or staging, and ends with the version', () => {
    expect(document.servers.map(({ url }: Json) => url)).toEqual(['/v1', '{productionUrl}/v1', '{stagingUrl}/v1']);
    for (const { url, description, variables = {} } of document.servers) {
      expect(description).toMatch(/\S/);
      const filled = url.replaceAll(/\{(\w+)\}/g, (_: string, name: string) => variables[name].default);
      expect(new URL(filled, 'http://127.0.0.1:8080/openapi.json').href).toBe('http://127.0.0.1:8080/v1');
    }
  });

  test('is not repeated in the paths', () => {
    for (const path of Object.keys(document.paths)) expect(path).not.toStartWith('/v1');
  });
});

describe('the address in links', () => {
  test.each(['https://pets.example', 'https://pets.example/', 'https://pets.example/v1', 'https://pets.example/v1/'])(
    'is PETSTORE_PUBLIC_URL if set: %s',
    async (url) => {
      const behindProxy = await startService({ environment: { PETSTORE_PUBLIC_URL: url } });
      const { headers } = await behindProxy.get('/v1/pets');
      await behindProxy.stop();
      expect(headers.get('link')).toBe('<https://pets.example/v1/pets>; rel="first"');
    },
  );

  test('is https only if a trusted proxy reports it', async () => {
    const headers = { Host: 'pets.example', 'X-Forwarded-For': '192.0.2.1', 'X-Forwarded-Proto': 'https' };
    const seen: (string | null)[] = [];
    for (const environment of [{ PETSTORE_TRUST_PROXY: '127.0.0.1' }, { PETSTORE_TRUST_PROXY: '192.0.2.1' }, {}]) {
      const behindProxy = await startService({ environment });
      const { headers: answered } = await behindProxy.get('/v1/pets', { headers });
      await behindProxy.stop();
      seen.push(answered.get('link'));
    }
    const links = ['https', 'http', 'http'].map((scheme) => `<${scheme}://pets.example/v1/pets>; rel="first"`);
    expect(seen).toEqual(links);
  });
});

describe('the documented responses', () => {
  const schemaOf = (body: z.ZodType) => ({ $ref: `#/components/schemas/${body.meta()?.id}` });
  const contracts = CONTRACTS.filter(({ environment }) => !environment);

  test.each(contracts.map((contract) => [contract.id, contract] as const))(
    'of %s match its contract',
    (id, contract) => {
      const { responses } = operation(id);
      const { status, body, description, headers = [] } = contract.answer;
      const codes = Map.groupBy(failuresOf(contract), (code) => FAILURES[code].status);
      const unchanged = contract.method === 'GET' && headers.includes('ETag') ? [304] : [];
      expect(Object.keys(responses).map(Number)).toEqual([status, ...unchanged, ...codes.keys()].sort((a, b) => a - b));

      expect(responses[status].description).toBe(description);
      expect(Object.keys(responses[status].headers)).toEqual(expect.arrayContaining([...ANSWER_HEADERS, ...headers]));
      const type = contract.stream ? 'text/event-stream' : 'application/json';
      expect(responses[status].content).toEqual(body && { [type]: { schema: schemaOf(body) } });
      for (const [refused, expected] of codes) {
        const { content, headers: described } = responses[refused];
        const { allOf, examples } = resolve(document, content['application/json'].schema.$ref);
        const [error, own] = allOf;
        expect(error).toEqual({ $ref: '#/components/schemas/Error' });
        expect(own.properties).toEqual({ code: { type: 'string', enum: expected } });
        expect(examples).toEqual([{ code: expected[0], message: expect.any(String), status: refused }]);
        expect(content['application/problem+json']).toEqual({ schema: { $ref: '#/components/schemas/Problem' } });
        if (contract.deprecation)
          expect(Object.keys(described)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset']));
      }
    },
  );
});

describe('the documented webhooks', () => {
  const deliveries = (): [string, Json][] =>
    Object.entries<Json>(document.webhooks).map(([type, { post }]) => [type, post]);

  test('cover every event type, each with its own schema', () => {
    expect(deliveries().map(([type]) => type)).toEqual([...EVENT_TYPES]);
    const { oneOf, discriminator } = document.components.schemas.Event;
    expect(oneOf).toHaveLength(EVENT_TYPES.length);
    for (const [type, { requestBody }] of deliveries()) {
      const { schema } = requestBody.content['application/json'];
      expect(schema.$ref).toBe(discriminator.mapping[type]);
      expect(oneOf).toContainEqual(schema);
      expect(joinParts(document, resolve(document, schema.$ref)).properties.type.enum).toEqual([type]);
    }
  });

  test('have unique names, no key, a separate tag, and the headers of Standard Webhooks', () => {
    const names = operations().map(({ operationId }) => operationId);
    expect(deliveries()).toHaveLength(EVENT_TYPES.length);
    for (const [, { operationId, security, tags, parameters }] of deliveries()) {
      expect(names).not.toContain(operationId);
      names.push(operationId);
      expect(security).toEqual([]);
      expect(operations().flatMap((each) => each.tags)).not.toContain(tags[0]);
      expect(document.tags.map(({ name }: Json) => name)).toContain(tags[0]);
      expect(parameters.map(({ name }: Json) => name)).toEqual([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ]);
      for (const { description } of parameters) expect(description).toMatch(/\S/);
    }
  });
});

describe('the schemas', () => {
  test('are valid JSON Schema 2020-12, and match their examples and defaults', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: true, logger: false });
    ajv.addSchema({ $id: 'document', ...served });
    const schemas = [...walk(served)].filter(
      ([way]) => way.at(-1) === 'schema' || (way.length === 3 && way[1] === 'schemas') || way.at(-2) === 'properties',
    );
    let checked = 0;
    for (const [way, schema] of schemas) {
      expect([way.join('.'), ajv.validateSchema(schema)]).toEqual([way.join('.'), true]);
      const pointer = way.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
      const examples = [...(schema.examples ?? []), ...(schema.default === undefined ? [] : [schema.default])];
      for (const example of examples) {
        const valid = ajv.validate(`document#/${pointer}`, example);
        expect([way.join('.'), example, ajv.errorsText(valid ? null : ajv.errors)]).toEqual([
          way.join('.'),
          example,
          'No errors',
        ]);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(5);
  });
});
