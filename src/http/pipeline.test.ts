import { beforeEach, describe, expect, test } from 'bun:test';
import { createTestClock } from '../../test/clock.ts';
import type { Contract } from '../kernel/contract.ts';
import { Failure } from '../kernel/failure.ts';
import type { Caller } from '../kernel/operation.ts';
import { createMemoryLimiter } from '../limits/limiter.memory.ts';
import type { Exchange } from './context.ts';
import type { Mounted } from './operation-handler.ts';
import { createChecks } from './pipeline.ts';
import type { Route } from './routes.ts';

const CALLER: Caller = {
  keyId: 'key_one',
  storeId: 1n,
  scopes: ['pets:read'],
  limits: { perMinute: 3, perDay: 100 },
  endsAt: null,
};
const LIST = { id: 'listPets', method: 'GET', path: '/pets', scope: 'pets:read', input: {} } as unknown as Contract;
const ROUTE: Route = { methods: new Map(), allow: 'GET, HEAD, OPTIONS' };

/** The real limiter, and everything else as a test says. */
let deps: Parameters<typeof createChecks>[0];
let spentAsked: boolean[];
let waited: string[];
const invalid = () => new Failure('invalid_api_key', 'The API key is unknown, expired or revoked.');
const clock = createTestClock();
const nowhere = async () => undefined;

beforeEach(() => {
  [spentAsked, waited] = [[], []];
  deps = {
    authenticate: (authorization, isSpent) => {
      spentAsked.push(isSpent());
      if (authorization === null) throw invalid();
      return CALLER;
    },
    limiter: createMemoryLimiter({ clock, tallies: new Map(), saveWindows: nowhere, saveBan: nowhere }),
    clock,
    deprecationClock: clock,
    admission: {
      isOpen: () => true,
      wait: (sender: { name: string }, serve: () => unknown) => {
        waited.push(sender.name);
        return serve();
      },
    } as never,
    senderOf: () => ({ name: 'somebody', isKnown: false, mayWrite: false }),
  };
});

const mounted = (contract: Contract, handle: Mounted['handle'] = () => ({ status: 200, headers: {} })): Mounted => ({
  contract,
  handle,
});
type Sent = { headers?: Record<string, string>; method?: string; host?: string; operation?: Mounted | undefined };
const exchangeOf = ({ headers = { authorization: 'Bearer one' }, method = 'GET', host = 'a', ...rest }: Sent) =>
  ({
    request: new Request('http://a/v1/pets', { headers, method }),
    path: '/v1/pets',
    host,
    address: '192.0.2.7',
    startedAt: 0,
    hasOrigin: false,
    operation: 'operation' in rest ? rest.operation : mounted(LIST),
  }) as unknown as Exchange;
/** What one request after another comes to: a status, or the code of the refusal. */
const check = async (check: ReturnType<typeof createChecks>, sent: Sent = {}, route: Route | undefined = ROUTE) => {
  const exchange = exchangeOf(sent);
  try {
    return { came: (await check(exchange, route)).status, exchange };
  } catch (error) {
    return { came: error instanceof Failure ? error.code : error, exchange };
  }
};
const STRANGER = { headers: {} };

describe('a caller with a key', () => {
  test('is served up to the limit, and known from then on', async () => {
    const checks = createChecks(deps);
    const { came, exchange } = await check(checks);
    expect([came, exchange.caller, waited]).toEqual([200, CALLER, []]);
    expect(exchange.verdict?.windows.map(({ used }) => used)).toEqual([1, 1]);
    await check(checks);
    await check(checks);
    expect((await check(checks)).came).toBe('rate_limit_exceeded');
  });

  test('asks about itself beside the limit', async () => {
    const checks = createChecks(deps);
    const own = { operation: mounted({ ...LIST, id: 'getMyKey', scope: 'any key', meter: 'own' }) };
    for (let asked = 0; asked < 4; asked += 1) expect((await check(checks, own)).came).toBe(200);
    expect((await check(checks)).exchange.verdict?.windows[0]?.used).toBe(1);
  });

  test('is refused what it has no scope for, and what there is not, each for one request', async () => {
    const checks = createChecks(deps);
    const writing = mounted({ ...LIST, id: 'createPet', scope: 'pets:write' });
    expect((await check(checks, { operation: writing })).came).toBe('insufficient_scope');
    expect((await check(checks, { operation: undefined })).came).toBe('method_not_allowed');
    const nothing = await check(checks, { operation: undefined }, null as never);
    expect([nothing.came, nothing.exchange.verdict?.windows[0]?.used]).toEqual(['route_not_found', 3]);
  });

  test('is refused what is removed', async () => {
    const deprecation = { sunset: new Date(clock()), successor: 'listPets' } as Contract['deprecation'];
    const removed = mounted({ ...LIST, deprecation } as Contract);
    expect((await check(createChecks(deps), { operation: removed })).came).toBe('operation_removed');
  });

  test('pays more for a batch where it costs more, and never what no window could hold', async () => {
    const batch = (requests: number) =>
      mounted({ ...LIST, batchOf: 'pets' }, async (_, __, pay) => {
        await pay?.(requests);
        return { status: 201, headers: {} };
      });
    const checks = createChecks(deps);
    const paid = await check(checks, { operation: batch(2) });
    expect([paid.came, paid.exchange.verdict?.windows[0]?.used]).toEqual([201, 3]);
    expect((await check(createChecks(deps), { operation: batch(3) })).came).toBe('rate_limit_exceeded');
    const fresh = { ...deps, authenticate: () => ({ ...CALLER, keyId: 'key_two' }) };
    expect((await check(createChecks(fresh), { operation: batch(3) })).came).toBe('invalid_request');
  });

  test('is handed no way to pay where nothing costs more', async () => {
    let isPayable: boolean | undefined;
    const plain = mounted(LIST, (_, __, pay) => {
      isPayable = pay !== undefined;
      return { status: 200, headers: {} };
    });
    await check(createChecks(deps), { operation: plain });
    expect(isPayable).toBeFalse();
  });
});

describe('a caller without a valid key', () => {
  test('is counted by its address, and refused there from the limit on, which authentication hears of', async () => {
    const checks = createChecks(deps);
    for (let asked = 0; asked < 600; asked += 1) expect((await check(checks, STRANGER)).came).toBe('invalid_api_key');
    expect((await check(checks, STRANGER)).came).toBe('rate_limit_exceeded');
    expect(spentAsked).not.toContain(true);
    await check(checks, STRANGER);
    expect(spentAsked.at(-1)).toBeTrue();
  });

  test('is not counted if the key could not be looked up', async () => {
    const away = new Failure('unavailable', 'The database is away.');
    const fail = (error: unknown) => check(createChecks({ ...deps, authenticate: () => Promise.reject(error) }));
    for (const error of [away, Object.assign(new Error('not ours'), { status: 401 })]) {
      const { came, exchange } = await fail(error);
      expect([came, exchange.verdict]).toEqual([error === away ? 'unavailable' : error, undefined]);
    }
  });
});

describe('before any key is looked at', () => {
  test('two hosts are refused and counted against the address, up to its limit', async () => {
    const checks = createChecks(deps);
    const { came, exchange } = await check(checks, { host: 'a,b' });
    expect([came, exchange.verdict?.windows[0]?.used]).toEqual(['invalid_request', 1]);
    for (let asked = 1; asked < 600; asked += 1) await check(checks, { host: 'a,b' });
    expect((await check(checks, { host: 'a,b' })).came).toBe('rate_limit_exceeded');
    expect(spentAsked).toEqual([]);
  });

  test('OPTIONS is answered with what the path takes, and with all where there is none', async () => {
    const checks = createChecks(deps);
    const allowed = async (route: Route | undefined) =>
      (await checks(exchangeOf({ ...STRANGER, method: 'OPTIONS' }), route)).headers;
    expect(await allowed(ROUTE)).toMatchObject({ Allow: 'GET, HEAD, OPTIONS' });
    expect(await allowed(undefined)).toMatchObject({ Allow: 'GET, HEAD, POST, PATCH, DELETE, OPTIONS' });
    expect(spentAsked).toEqual([]);
  });

  describe('whoever comes while the service is overloaded', () => {
    const large = { headers: { authorization: 'Bearer one', 'transfer-encoding': 'chunked' } };
    const overloaded = (isKnown: boolean) =>
      createChecks({
        ...deps,
        admission: { ...deps.admission, isOpen: () => false },
        senderOf: () => ({ name: 'somebody', isKnown, mayWrite: true }),
      });

    test('waits for a turn', async () => {
      expect((await check(overloaded(false))).came).toBe(200);
      expect(waited).toEqual(['somebody']);
    });

    test('waits for its turn with two hosts too', async () => {
      expect((await check(overloaded(false), { host: 'a,b' })).came).toBe('invalid_request');
      expect(waited).toEqual(['somebody']);
    });

    test('with a large body waits if it is known, and is refused if it is not', async () => {
      expect((await check(overloaded(true), large)).came).toBe(200);
      expect((await check(overloaded(false), large)).came).toBe('unavailable');
      expect(waited).toEqual(['somebody']);
    });
  });
});
