import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { CONTRACTS } from '../src/contracts.ts';
import type { Contract } from '../src/kernel/contract.ts';
import { FAILURES, type FailureCode } from '../src/kernel/failure.ts';
import { expectError } from './expect-answer.ts';
import { askOperation, issueKeyWithout, type OperationRequest, overlongBody, queryNames } from './operation-request.ts';
import { askOnce } from './raw-http.ts';
import { createTestClock, type Service, STAGING, startService } from './service.ts';

let service: Service;
let later: Service;
beforeAll(async () => {
  service = await startService({ environment: STAGING });
  later = await startService({ environment: STAGING, clock: createTestClock('2040-01-01T00:00:00.000Z') });
});
afterAll(async () => {
  await service.stop();
  await later.stop();
});

const PER_MINUTE = 20;

const issueSpentKey = async (at: Service, contract: Contract): Promise<string> => {
  const key = await issueKeyWithout(at, contract, PER_MINUTE);
  for (let used = 0; used < PER_MINUTE; used++) await at.get('/v1/spent', { key });
  return key;
};

type Fault = { code: FailureCode; applies: unknown; spoil: Partial<OperationRequest> };

const faultsOf = async (at: Service, contract: Contract): Promise<Fault[]> => {
  const { input, scope } = contract;
  const [name] = queryNames(contract);
  const faults: Fault[] = [
    { code: 'invalid_request', applies: true, spoil: { hosts: ['a', 'b'] } },
    { code: 'missing_api_key', applies: true, spoil: { key: undefined } },
    { code: 'rate_limit_exceeded', applies: !contract.meter, spoil: { key: await issueSpentKey(at, contract) } },
    { code: 'insufficient_scope', applies: scope !== 'any key', spoil: { key: await issueKeyWithout(at, contract) } },
    { code: 'unsupported_media_type', applies: input.body, spoil: { contentType: 'text/plain' } },
    { code: 'payload_too_large', applies: input.body, spoil: { body: overlongBody(contract) } },
    { code: 'not_found', applies: input.path, spoil: { pathValue: '007' } },
    { code: 'invalid_parameter', applies: name, spoil: { query: `${name}=%ff` } },
    { code: 'invalid_json', applies: input.body, spoil: { body: '{' } },
  ];
  return faults.filter(({ applies }) => applies);
};

const together = (faults: readonly Fault[]): Partial<OperationRequest> =>
  Object.assign({}, ...faults.map(({ spoil }) => spoil).reverse());

const expectRefusal = async (at: Service, contract: Contract, faults: readonly Fault[], code: FailureCode) =>
  expectError(await askOperation(at, contract, together(faults)), code, FAILURES[code].status);

describe.each(CONTRACTS.map((contract) => [contract.id, contract] as const))('%s', (_, contract) => {
  test('reports faults in the defined order', async () => {
    const faults = await faultsOf(service, contract);
    expect(faults.length).toBeGreaterThan(1);
    for (const [index, { code }] of faults.entries()) await expectRefusal(service, contract, faults.slice(index), code);
  });

  if (contract.deprecation) {
    test('reports its removal after the key and limit checks, before any other fault', async () => {
      const faults = await faultsOf(later, contract);
      const scope = faults.findIndex(({ code }) => code === 'insufficient_scope');
      for (const [index, { code }] of faults.slice(0, scope).entries()) {
        await expectRefusal(later, contract, faults.slice(index), code);
      }
      for (const index of faults.keys()) {
        if (index >= scope) await expectRefusal(later, contract, faults.slice(index), 'operation_removed');
      }
      await expectRefusal(later, contract, [], 'operation_removed');
    });
  }
});

describe('before routing', () => {
  const options = (...hosts: string[]) =>
    `OPTIONS /v1/nothing HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}\r\n`;

  test('two Host headers are refused even in a preflight', async () => {
    expectError(await askOnce(service.port, options('a', 'b')), 'invalid_request', 400);
  });

  test('a preflight needs no key', async () => {
    expect((await askOnce(service.port, options('a'))).status).toBe(204);
  });

  test('an exceeded rate limit is reported before an unknown path or method', async () => {
    const key = await issueSpentKey(service, CONTRACTS[0] as Contract);
    expectError(await service.get('/v1/nothing', { key }), 'rate_limit_exceeded', 429);
    expectError(await service.call('PUT', '/v1/pets', { key }), 'rate_limit_exceeded', 429);
  });

  test('an unsupported method is reported before a missing scope', async () => {
    const key = await service.issueKey({ scopes: ['ops:read'] });
    expectError(await service.call('PUT', '/v1/pets', { key }), 'method_not_allowed', 405);
  });
});
