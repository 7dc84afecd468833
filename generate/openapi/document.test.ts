import { describe, expect, test } from 'bun:test';
import { CONTRACTS } from '../../src/contracts.ts';
import { createOpenapi } from './document.ts';
import { createResolve } from './resolve.ts';

type Json = Record<string, any>;

const document = createOpenapi() as Json;
const resolve = createResolve(document);

const operationOf = (id: string): Json => {
  const { method, path } = CONTRACTS.find((contract) => contract.id === id) as (typeof CONTRACTS)[number];
  return document.paths[path][method.toLowerCase()];
};
const parametersOf = (id: string): Json[] => operationOf(id).parameters.map((one: Json) => resolve(one));
const namesOf = (id: string): string[] => parametersOf(id).map(({ name }) => name);
const responseOf = (id: string, status: number): Json | undefined => {
  const response = operationOf(id).responses[status];
  return response && resolve<Json>(response);
};
const headersOf = (id: string, status: number): string[] => Object.keys(responseOf(id, status)?.headers ?? {});
const codesOf = (id: string, status: number): string[] => {
  const { schema } = responseOf(id, status)?.content['application/json'] ?? {};
  return schema ? (resolve<Json>(schema).properties.code.enum as string[]) : [];
};

describe('every operation of the document', () => {
  test.each(CONTRACTS.map((contract) => [contract.id, contract] as const))(
    '%s follows its contract',
    (id, contract) => {
      const operation = operationOf(id);
      expect(operation).toMatchObject({ operationId: id, 'x-scope': contract.scope });
      expect(operation['x-stability']).toBe(contract.stability);
      expect(operation.deprecated).toBe(contract.deprecation ? true : undefined);
      const scoped = contract.scope === 'any key' ? undefined : [{ apiKey: [contract.scope] }];
      expect(operation.security).toEqual(scoped);
      expect(operation.requestBody?.required).toBe(contract.input.body ? !contract.input.optionalBody : undefined);
      const paths = Object.keys(contract.input.path ?? {});
      const required = parametersOf(id).filter((one) => one.in === 'path' && one.required === true);
      expect(required.map(({ name }) => name)).toEqual(paths);
      const names = namesOf(id);
      expect(names.includes('If-Match')).toBe(Boolean(contract.guarded));
      expect(names.includes('Idempotency-Key')).toBe(contract.method === 'POST');
      const isPaged = Boolean(contract.paged);
      expect(['limit', 'cursor'].map((name) => names.includes(name))).toEqual([isPaged, isPaged]);
      expect(headersOf(id, contract.answer.status).includes('Link')).toBe(
        isPaged || contract.deprecation !== undefined,
      );
      expect(headersOf(id, contract.answer.status).includes('Idempotent-Replayed')).toBe(contract.method === 'POST');
      expect([headersOf(id, 429), headersOf(id, 503)].map((names) => names.includes('Retry-After'))).toEqual([
        true,
        true,
      ]);
      expect(headersOf(id, 401)).toContain('WWW-Authenticate');
      expect(Object.keys(responseOf(id, 429)?.content)).toEqual(['application/json', 'application/problem+json']);
      expect(codesOf(id, 429)).toEqual(
        expect.arrayContaining(['rate_limit_exceeded', 'daily_quota_exceeded', 'api_key_banned']),
      );
      expect(codesOf(id, 403).includes('insufficient_scope')).toBe(contract.scope !== 'any key');
    },
  );
});

describe('the document', () => {
  test('needs a key for every operation', () => {
    expect(document.security).toEqual([{ apiKey: [] }]);
    expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  test('names the failures that follow from an operation', () => {
    expect(codesOf('listPets', 400)).toContain('invalid_cursor');
    expect(codesOf('getInventory', 400)).not.toContain('invalid_cursor');
    expect(codesOf('updatePet', 412)).toEqual(['precondition_failed']);
    expect(codesOf('createPet', 403)).toEqual(['insufficient_scope', 'store_full']);
    expect(codesOf('createKey', 403)).not.toContain('store_full');
  });

  test('has an example of a request body next to its media type', () => {
    const bodies = Object.values<Json>(document.paths)
      .flatMap((item) => Object.values<Json>(item))
      .flatMap(({ requestBody }) => Object.values<Json>(requestBody?.content ?? {}));
    expect(bodies.length).toBeGreaterThan(5);
    expect(bodies.filter(({ example }) => example === undefined)).toEqual([]);
  });

  test('says that a list parameter is one value with commas', () => {
    expect(parametersOf('listPets').find(({ name }) => name === 'ids')).toMatchObject({
      style: 'form',
      explode: false,
    });
  });

  test('has a stream of events, and 304 for a version that the caller has', () => {
    const streams = CONTRACTS.filter(({ stream }) => stream).map(({ id }) => id);
    expect(streams.length).toBeGreaterThan(0);
    expect(streams.map((id) => Object.keys(responseOf(id, 200)?.content))).toEqual(
      streams.map(() => ['text/event-stream']),
    );
    expect([responseOf('getPet', 304), responseOf('updatePet', 304)].map(Boolean)).toEqual([true, false]);
  });

  test('distinguishes events by their type, and values that may be null', () => {
    const { discriminator } = document.components.schemas.Event;
    expect(discriminator.propertyName).toBe('type');
    expect(discriminator.mapping['pet.created']).toBe('#/components/schemas/PetCreatedEvent');
    expect(document.components.schemas.Key.properties.expiresAt.type).toEqual(['string', 'null']);
  });

  test('requires the additions of a schema that extends another', () => {
    const extensions = Object.values<Json>(document.components.schemas).filter(({ allOf }) => allOf);
    expect(extensions.length).toBeGreaterThan(3);
    expect(resolve<Json>(document.components.schemas.KeyWithSecret).required).toContain('key');
  });
});
