import { beforeEach, describe, expect, test } from 'bun:test';
import { stubService } from '../../test/http-service.ts';
import type { Contract } from '../kernel/contract.ts';
import { Failure } from '../kernel/failure.ts';
import type { Caller } from '../kernel/operation.ts';
import { createPetBatchContract } from '../resources/pets/pets.contracts.ts';
import type { RequestContext } from './context.ts';
import { handle } from './handle.ts';
import { createReplyCache } from './reply-cache.ts';
import { createOperationHandler, type OperationHandler, type Route } from './routes.ts';
import type { Service } from './service.ts';

const CALLER: Caller = {
  keyId: 'key_one',
  storeId: 1n,
  scopes: ['pets:read', 'pets:write'],
  limits: { perMinute: 3, perDay: 100 },
  endsAt: null,
};
const LIST = {
  id: 'listPets',
  method: 'GET',
  path: '/pets',
  scope: 'pets:read',
  input: {},
  answer: { status: 200 },
} as unknown as Contract;

let service: Service;
let throttledSeen: boolean[];
let waited: string[];
let last: RequestContext;
const invalid = () => new Failure('invalid_api_key', 'The API key is unknown, expired or revoked.');

beforeEach(() => {
  [throttledSeen, waited] = [[], []];
  service = stubService({
    authenticate: (authorization, isThrottled) => {
      throttledSeen.push(isThrottled());
      if (authorization === null) throw invalid();
      return CALLER;
    },
    gate: {
      isOpen: () => true,
      wait: async (client: { name: string }) => void waited.push(client.name),
    } as never,
    requestMetrics: {
      answered: (context) => {
        last = context;
      },
      refused: () => undefined,
      shed: () => undefined,
    },
  });
});

const operationOf = (contract: Contract): OperationHandler => createOperationHandler(contract, () => ({}));
const routeOf = (...operations: OperationHandler[]): Route => ({
  methods: new Map(operations.map((operation) => [operation.contract.method, operation])),
  allow: 'GET, HEAD, OPTIONS',
});
const ROUTE = routeOf(operationOf(LIST));

type Sent = { headers?: Record<string, string>; method?: string; host?: string; body?: string; route?: Route | null };
const ask = ({ headers = { authorization: 'Bearer one' }, host = 'a', route = ROUTE, ...sent }: Sent = {}) => {
  const request = new Request('http://a/v1/pets', { headers: { ...headers, host }, ...sent });
  return handle(service, route ?? undefined, { request, params: {}, socket: '192.0.2.7' });
};
const check = async (sent: Sent = {}) => {
  const response = await ask(sent);
  const text = await response.text();
  return response.status < 400 ? response.status : JSON.parse(text).code;
};
const usedThen = () => last.verdict?.windows.map(({ used }) => used);
const STRANGER = { headers: {} };

describe('a caller with a key', () => {
  test('is served up to its limit, and appears in the context', async () => {
    expect([await check(), last.caller, waited]).toEqual([200, CALLER, []]);
    expect(usedThen()).toEqual([1, 1]);
    await check();
    await check();
    expect(await check()).toBe('rate_limit_exceeded');
  });

  test('may request its own usage when its limit is reached', async () => {
    const own = routeOf(operationOf({ ...LIST, id: 'getMyKey', scope: 'any key', meter: 'own' }));
    for (let asked = 0; asked < 4; asked += 1) expect(await check({ route: own })).toBe(200);
    await check();
    expect(usedThen()).toEqual([1, 1]);
  });

  test('gets 403 for missing scopes and 404 for unknown paths, each counted as one request', async () => {
    const writing = routeOf(operationOf({ ...LIST, id: 'createWebhook', scope: 'webhooks:write' }));
    const refused = await ask({ route: writing });
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { message: expect.stringMatching(/webhooks:write/) },
    ]);
    const wrongMethod = await ask({ method: 'PATCH' });
    expect([wrongMethod.status, wrongMethod.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await wrongMethod.json()).toMatchObject({
      message: '/v1/pets accepts GET, HEAD and OPTIONS, but not PATCH.',
    });
    expect([await check({ route: null }), usedThen()]).toEqual(['route_not_found', [3, 3]]);
  });

  test('needs no scope for an operation that is open to any key', async () => {
    service = { ...service, authenticate: () => ({ ...CALLER, scopes: [] }) };
    expect(await check({ route: routeOf(operationOf({ ...LIST, scope: 'any key' })) })).toBe(200);
    expect(await check()).toBe('insufficient_scope');
  });

  test('is refused a removed operation on and after its sunset date', async () => {
    const sunset = new Date('2027-03-01T00:00:00Z');
    const deprecation = { since: sunset, sunset, successor: '/pets' } as unknown as Contract['deprecation'];
    const route = routeOf(operationOf({ ...LIST, deprecation } as Contract));
    service = { ...service, rehearsedDate: sunset.getTime() - 1 };
    expect(await check({ route })).toBe(200);
    service = { ...service, rehearsedDate: sunset.getTime() };
    const removed = await ask({ route });
    expect([removed.status, await removed.json()]).toMatchObject([
      410,
      { code: 'operation_removed', message: expect.stringMatching(/was removed on 2027-03-01\. Use GET \/pets/) },
    ]);
  });

  test('gets a list from the cache, without another run of the operation, until something is written', async () => {
    let [commits, runs] = [0, 0];
    const replies = createReplyCache(() => commits);
    const run = () => {
      runs += 1;
      return { body: [runs] };
    };
    const route = routeOf(createOperationHandler({ ...LIST, repeatable: true } as Contract, run, { replies }));
    const shown = async () => (await ask({ route })).json();
    expect([await shown(), await shown(), await shown()]).toEqual([[1], [2], [2]]);
    commits += 1;
    service = { ...service, authenticate: () => ({ ...CALLER, keyId: 'key_two' }) };
    expect(await shown()).toEqual([3]);
  });

  test('cancels a write when it disconnects, but not a read', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const contracts = [LIST, { ...LIST, id: 'createPet', method: 'POST' } as Contract];
    const run = (_: unknown, __: unknown, { signal }: { signal: AbortSignal | undefined }) => {
      signals.push(signal);
      return {};
    };
    const route = routeOf(...contracts.map((contract) => createOperationHandler(contract, run)));
    for (const method of ['GET', 'POST']) expect(await check({ route, method })).toBe(200);
    expect(signals).toEqual([undefined, expect.any(AbortSignal)]);
  });

  test.each([
    ['an early write that Redis knows', 100, 500, []],
    ['a late write', 100, 1001, ['key_one']],
    ['a write that Redis does not know', undefined, 500, ['key_one']],
  ] as const)('has its writes recorded for reads from a standby: %s', async (_, sinceWriteMs, lasted, noted) => {
    const seen: string[] = [];
    let now = 0;
    const { limiter } = service;
    service = {
      ...service,
      elapsed: () => now,
      limiter: { ...limiter, take: async (subject) => Object.assign(await limiter.take(subject), { sinceWriteMs }) },
      noteWrite: async (keyId) => void seen.push(keyId),
    };
    const contracts = [LIST, { ...LIST, id: 'createPet', method: 'POST' } as Contract];
    const run = () => {
      now = lasted;
      return {};
    };
    const route = routeOf(...contracts.map((contract) => createOperationHandler(contract, run)));
    for (const method of ['GET', 'POST']) {
      now = 0;
      expect(await check({ route, method })).toBe(200);
    }
    expect(seen).toEqual([...noted]);
  });

  describe('that sends a batch', () => {
    const batch = routeOf(createOperationHandler(createPetBatchContract, () => ({ body: [] })));
    const send = (rows: number) =>
      ask({
        route: batch,
        method: 'POST',
        headers: { authorization: 'Bearer one', 'Content-Type': 'application/json' },
        body: JSON.stringify({ pets: Array.from({ length: rows }, () => ({ name: 'Rex', categoryId: 1 })) }),
      });
    const limitedTo = (perMinute: number, perDay: number) => {
      const keyId = `key_${perMinute}`;
      service = { ...service, authenticate: () => ({ ...CALLER, keyId, limits: { perMinute, perDay } }) };
    };

    test('is charged for its rows, and refused if fewer requests remain', async () => {
      expect([(await send(300)).status, usedThen()]).toEqual([201, [3, 3]]);
      expect((await send(100)).status).toBe(429);
    });

    test('is refused if fewer requests remain than it costs, even if some remain', async () => {
      expect([(await send(200)).status, usedThen()]).toEqual([201, [2, 2]]);
      expect([(await send(200)).status, usedThen()]).toEqual([429, [3, 3]]);
    });

    test('is refused with 400 if it costs more than its smaller window allows', async () => {
      limitedTo(5, 1000);
      expect((await send(500)).status).toBe(201);
      limitedTo(1000, 5);
      const refused = await send(600);
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        {
          code: 'invalid_request',
          message: expect.stringMatching(/counts as 6 requests, which is more than the key's limit of 5/),
        },
      ]);
    });
  });
});

describe('a caller without a valid key', () => {
  test('is counted by its address and refused beyond the limit, and authentication sees the address as throttled', async () => {
    for (let asked = 0; asked < 600; asked += 1) expect(await check(STRANGER)).toBe('invalid_api_key');
    expect(await check(STRANGER)).toBe('rate_limit_exceeded');
    expect(throttledSeen).not.toContain(true);
    await check(STRANGER);
    expect(throttledSeen.at(-1)).toBeTrue();
  });

  test('is counted even if the key is looked up asynchronously', async () => {
    service = { ...service, authenticate: () => Promise.reject(invalid()) };
    expect([await check(), usedThen()]).toEqual(['invalid_api_key', [1]]);
  });

  test('is not counted if the key could not be looked up', async () => {
    const away = new Failure('unavailable', 'The database is away.');
    for (const error of [away, Object.assign(new Error('not ours'), { status: 401 })]) {
      service = { ...service, authenticate: () => Promise.reject(error) };
      expect([await check(), last.verdict]).toEqual([error === away ? 'unavailable' : 'internal_error', undefined]);
    }
  });
});

describe('before authentication', () => {
  test('a request with two hosts is refused and counted against the address, up to its limit', async () => {
    const refused = await ask({ host: 'a,b', headers: { accept: 'application/problem+json' } });
    const errors = [{ header: 'Host', detail: 'must be given only once' }];
    expect([refused.status, await refused.json(), usedThen()]).toMatchObject([400, { errors }, [1]]);
    for (let asked = 1; asked < 600; asked += 1) await check({ host: 'a,b' });
    expect(await check({ host: 'a,b' })).toBe('rate_limit_exceeded');
    expect(throttledSeen).toEqual([]);
  });

  test('OPTIONS returns the methods of the path, or all methods for an unknown path', async () => {
    const allowed = async (route: Route | null) =>
      (await ask({ ...STRANGER, method: 'OPTIONS', route })).headers.get('Allow');
    expect(await allowed(ROUTE)).toBe('GET, HEAD, OPTIONS');
    expect(await allowed(null)).toBe('GET, HEAD, POST, PATCH, DELETE, OPTIONS');
    expect(throttledSeen).toEqual([]);
  });

  describe('a request during overload', () => {
    const large = { headers: { authorization: 'Bearer one', 'content-length': '20000' } };
    const overload = (isKnown: boolean) => {
      service = {
        ...service,
        gate: { ...service.gate, isOpen: () => false },
        identifyClient: () => ({ name: 'somebody', isKnown, mayWrite: true }),
      };
    };

    test('waits for its turn', async () => {
      overload(false);
      expect(await check()).toBe(200);
      expect(waited).toEqual(['somebody']);
    });

    test('is not authenticated before its turn', async () => {
      overload(false);
      const turn = Promise.withResolvers<void>();
      service = { ...service, gate: { ...service.gate, wait: () => turn.promise } };
      const answer = check();
      await Bun.sleep(0);
      expect(throttledSeen).toEqual([]);
      turn.resolve();
      expect([await answer, throttledSeen]).toEqual([200, [false]]);
    });

    test('waits for its turn even with two hosts', async () => {
      overload(false);
      expect(await check({ host: 'a,b' })).toBe('invalid_request');
      expect(waited).toEqual(['somebody']);
    });

    test('with a large body waits if its key is known, and is refused otherwise', async () => {
      overload(true);
      expect(await check(large)).toBe(200);
      overload(false);
      const refused = await ask(large);
      expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '1']);
      expect(waited).toEqual(['somebody']);
    });
  });
});
