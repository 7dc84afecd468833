import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { CONTRACTS } from '../src/contracts.ts';
import { bodyBoundsOf } from '../src/http/input/read-body.ts';
import { SCOPES } from '../src/kernel/contract.ts';
import { FAILURES, type FailureCode } from '../src/kernel/failure.ts';
import { expectError, expectProblem, expectSharedHeaders } from './expect-answer.ts';
import {
  askOperation,
  exampleBody,
  freshBody,
  freshPathValues,
  issueKeyWithout,
  MORE_SCOPES,
  type OperationRequest,
  overlongBody,
  queryNames,
} from './operation-request.ts';
import { openConnection } from './raw-http.ts';
import { type Service, STAGING, startService } from './service.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];

let service: Service;
beforeAll(async () => {
  service = await startService({ environment: STAGING });
  await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
});
afterAll(() => service.stop());

describe.each(CONTRACTS.map((contract) => [contract.id, contract] as const))('%s', (_, contract) => {
  const { input, scope, deprecation } = contract;
  const ask = (spoil: Partial<OperationRequest> = {}) => askOperation(service, contract, spoil);
  const askRefused = async (spoil: Partial<OperationRequest>, code: FailureCode) => {
    const answer = await ask(spoil);
    expectError(answer, code, FAILURES[code].status);
    return { message: answer.body.message as string, headers: answer.headers };
  };

  test('answers a valid request with the status in its contract', async () => {
    expect((await ask()).status).toBe(contract.answer.status);
  });

  test('refuses a request without a key', async () => {
    const { headers } = await askRefused({ key: undefined }, 'missing_api_key');
    expect(headers.get('www-authenticate')).toBe('Bearer realm="petstore"');
  });

  const strangers = [
    'ps_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17',
    'ps_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18',
    'x',
  ];
  test.each(strangers)('refuses the key %s, which was never issued', async (key) => {
    const { headers } = await askRefused({ key }, 'invalid_api_key');
    expect(headers.get('www-authenticate')).toBe('Bearer realm="petstore"');
  });

  test('requires an existing scope or accepts any key', () => {
    expect([...SCOPES, 'any key']).toContain(scope);
  });

  if (scope !== 'any key') {
    test(`refuses a key with every scope but ${scope}, and names that scope`, async () => {
      const key = await issueKeyWithout(service, contract);
      expect((await askRefused({ key }, 'insufficient_scope')).message).toContain(scope);
    });

    const scopes = [scope, ...(MORE_SCOPES[contract.id] ?? [])];
    test(`accepts a key with only ${scopes.join(' and ')}`, async () => {
      const key = await service.issueKey({ scopes });
      expect((await ask({ key })).status).toBe(contract.answer.status);
    });
  }

  test('ignores unknown query parameters, even repeated or malformed ones', async () => {
    const { status } = await ask({ query: 'unknown=1&unknown=2&%ff=%ff&=&&constructor=1&__proto__=2' });
    expect(status).toBe(contract.answer.status);
  });

  for (const name of queryNames(contract)) {
    if (name === 'ids') {
      test('accepts a list given twice', async () => {
        expect((await ask({ query: `${name}=1&${name}=1` })).status).toBe(contract.answer.status);
      });
    } else {
      test(`refuses ${name} given twice, and names it`, async () => {
        const { message } = await askRefused({ query: `${name}=1&${name}=1` }, 'invalid_parameter');
        expect(message).toContain(`${name}: `);
      });
    }

    test(`refuses ${name} with invalid percent-encoding, and names it`, async () => {
      const { message } = await askRefused({ query: `${name}=%ff` }, 'invalid_parameter');
      expect(message).toContain(`${name}: `);
    });

    test(`refuses ${name} with an invalid value`, async () => {
      const code = name === 'cursor' ? 'invalid_cursor' : 'invalid_parameter';
      expect((await askRefused({ query: `${name}=%F0%9F%92%A5%00` }, code)).message).toContain(name);
    });
  }

  if (input.path) {
    const malformed = [
      '007',
      '+1',
      '-0',
      '1.0',
      '1e0',
      '0x1',
      'abc',
      '9223372036854775808',
      '%20',
      '1%20',
      '1%2F2',
      '%FF',
    ];
    test.each(malformed)('answers 404 to the malformed ID %s', async (pathValue) => {
      await askRefused({ pathValue }, 'not_found');
    });
  }

  if (input.body) {
    test('has a valid example of its body in the contract', () => {
      expect(input.body?.safeParse(exampleBody(contract)).success).toBeTrue();
    });

    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json5', ''];
    test.each(types)('refuses a body of the type "%s"', async (contentType) => {
      await askRefused({ contentType }, 'unsupported_media_type');
    });

    const { bytes, spelled } = bodyBoundsOf(contract);
    const [size] = spelled.split(' (');
    test.each([false, true])(`refuses a body over ${size} and keeps the connection (chunked: %p)`, async (chunked) => {
      const connection = openConnection(service.port);
      const refused = await askOperation(service, contract, { body: overlongBody(contract), chunked }, connection);
      expectError(refused, 'payload_too_large', 413);
      expect((await askOperation(service, contract, {}, connection)).status).toBe(contract.answer.status);
      connection.close();
    });

    test.each([false, true])(`accepts a body of exactly ${size} (chunked: %p)`, async (chunked) => {
      const body = (await freshBody(service, contract)).padEnd(bytes);
      expect((await ask({ body, chunked })).status).toBe(contract.answer.status);
    });
  }

  if (contract.method === 'GET') {
    test('answers HEAD like GET, without the body', async () => {
      const pathValue = await freshPathValues(service, contract);
      const get = await ask({ pathValue });
      const head = await ask({ method: 'HEAD', pathValue });
      expect({ status: head.status, text: head.text }).toEqual({ status: get.status, text: '' });
      // The request log in the second response also lists the first request, so the two responses differ in length.
      const isLog = contract.id === 'getRequests';
      for (const name of ['etag', 'link', 'content-type', ...(isLog ? [] : ['content-length'])]) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
    });
  }

  const taken = CONTRACTS.filter(({ path }) => path === contract.path).map(({ method }) => method as string);
  test.each(METHODS.filter((method) => !taken.includes(method)))(
    'refuses %s and lists the allowed methods',
    async (method) => {
      const { headers } = await askRefused({ method, body: undefined }, 'method_not_allowed');
      const allowed = [...taken, ...(taken.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
      expect(headers.get('allow')?.split(', ').sort()).toEqual(allowed.sort());
    },
  );

  test('sends errors, but not successes, as problem details if the request prefers them', async () => {
    const refusals: [Partial<OperationRequest>, FailureCode][] = [
      [{ key: undefined }, 'missing_api_key'],
      [{ key: 'x' }, 'invalid_api_key'],
      [{ hosts: ['a', 'b'] }, 'invalid_request'],
      [{ method: 'PROPFIND', body: undefined }, 'method_not_allowed'],
    ];
    if (scope !== 'any key') refusals.push([{ key: await issueKeyWithout(service, contract) }, 'insufficient_scope']);
    for (const name of queryNames(contract)) refusals.push([{ query: `${name}=%ff` }, 'invalid_parameter']);
    if (input.path) refusals.push([{ pathValue: 'abc!' }, 'not_found']);
    if (input.body) {
      refusals.push(
        [{ contentType: 'text/plain' }, 'unsupported_media_type'],
        [{ body: '{' }, 'invalid_json'],
        [{ body: '7' }, 'invalid_request'],
        [{ body: overlongBody(contract) }, 'payload_too_large'],
      );
    }
    for (const [spoil, code] of refusals) {
      expectProblem(await ask({ ...spoil, accept: 'application/problem+json' }), code);
    }
    const answered = await ask({ accept: 'application/problem+json' });
    expect(answered.status).toBe(contract.answer.status);
    expect(answered.headers.get('content-type')).not.toBe('application/problem+json');
  });

  if (deprecation) {
    const { since, sunset, successor } = deprecation;
    test('states on every response when it was deprecated, when it ends and what replaces it', async () => {
      for (const spoil of [{}, { key: undefined }, { pathValue: 'abc' }, { hosts: ['a', 'b'] }, { method: 'HEAD' }]) {
        const { headers } = await ask(spoil);
        expect(headers.get('deprecation')).toBe(`@${since.getTime() / 1000}`);
        expect(headers.get('sunset')).toBe(sunset.toUTCString());
        expect(headers.get('link')).toMatch(/<[^>]*\/docs>; rel="deprecation"/);
        expect(headers.get('link')).toContain(`/v1${successor}>; rel="successor-version"`);
      }
    });
  }
});

describe('an unknown path', () => {
  test.each(['/v1', '/v1/', '/v1/nothing', '/v1/pets/1/nothing'])('%s needs a key like any other', async (path) => {
    const answer = await service.get(path, { key: null });
    expectError(answer, 'missing_api_key', 401);
    expectSharedHeaders(answer);
  });

  test.each(METHODS.filter((method) => method !== 'TRACE'))('is not found with the method %s', async (method) => {
    const answer = await service.call(method, '/v1/nothing');
    expectError(answer, 'route_not_found', 404);
    expectSharedHeaders(answer);
  });
});
