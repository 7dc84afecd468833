import { beforeEach, describe, expect, test } from 'bun:test';
import { createTestClock } from '../../test/clock.ts';
import type { Caller } from '../kernel/operation.ts';
import { isIssuedForm, makeSecret } from '../resources/keys/secret.ts';
import { createAuthenticate, createRecognise } from './authenticate-key.ts';

const NOW = createTestClock();

const caller: Caller = {
  keyId: 'key_one',
  storeId: 1n,
  scopes: ['pets:read'],
  limits: { perMinute: 60, perDay: 1000, pets: 10_000 },
  endsAt: null,
};

const secret = (letter: string) => makeSecret('production', (length) => letter.repeat(length));

let known: Map<string, Caller | null>;
let asked: { secret: string; answer(found?: Caller): void; fail(error: Error): void }[];
let isThrottled: boolean;
let check: ReturnType<typeof createAuthenticate>;
let authenticate: (secret: string) => Promise<string>;
beforeEach(() => {
  known = new Map();
  asked = [];
  isThrottled = false;
  check = createAuthenticate({
    keys: {
      get: (one) => known.get(one) ?? undefined,
      isUnknown: (one) => known.get(one) === null,
      isPossible: async (one) => isIssuedForm(one) || one.endsWith('!'),
      open: (one) =>
        new Promise((resolve, reject) => {
          asked.push({ secret: one, answer: resolve, fail: reject });
        }),
    },
    environment: 'production',
    clock: NOW,
  });
  authenticate = async (one) => {
    try {
      return (await check(`Bearer ${one}`, () => isThrottled)).keyId ?? '';
    } catch (error) {
      return (error as { code?: string }).code ?? (error as Error).message;
    }
  };
});

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe('the header', () => {
  const codeOf = async (authorization: string | null) => {
    try {
      return (await check(authorization, () => false)).keyId;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  test.each([null, '', ' ', 'Bearer', 'bearer ', 'Bearer   '])('%j has no key', async (authorization) => {
    expect(await codeOf(authorization)).toBe('missing_api_key');
  });

  test.each(['Basic abc', 'Bearerabc', 'abc', `Bearer ${'x'.repeat(200)}!`])('%j is invalid', async (other) => {
    expect(await codeOf(other)).toBe('invalid_api_key');
    expect(asked).toEqual([]);
  });

  test('accepts a key of up to 200 characters, with Bearer in any case and spaces around it', async () => {
    const longest = `${'x'.repeat(199)}!`;
    known.set(longest, caller);
    for (const spelled of ['Bearer', 'bearer', ' BEARER '])
      expect(await codeOf(`${spelled} ${longest} `)).toBe('key_one');
  });

  test('with an unknown key is refused with only as much detail as the key itself reveals', async () => {
    const refuse = async (one: string) => check(`Bearer ${one}`, () => false);
    known.set(secret('u'), null);
    await expect(refuse(`${secret('a').slice(0, -1)}x`)).rejects.toThrow('its checksum does not match');
    await expect(refuse(secret('u'))).rejects.toThrow('The API key is unknown, expired or revoked.');
  });

  test('identifies the caller and when the key expires', async () => {
    known.set(secret('k'), { ...caller, endsAt: NOW() + 1 });
    expect(await check(`Bearer ${secret('k')}`, () => false)).toEqual({ ...caller, endsAt: NOW() + 1 });
  });

  test('is recognized if its key is cached and valid', () => {
    known.set(secret('k'), caller);
    known.set(secret('r'), { ...caller, endsAt: Number.NEGATIVE_INFINITY });
    const recognise = createRecognise({ keys: { get: (one) => known.get(one) ?? undefined }, clock: NOW });
    expect(recognise(`Bearer ${secret('k')}`)).toBe('key_one');
    for (const other of [null, 'Bearer', `Bearer ${secret('r')}`, `Bearer ${secret('n')}`, secret('k')]) {
      expect(recognise(other)).toBeUndefined();
    }
  });
});

describe('nothing is looked up', () => {
  test('for a secret without the form of a key, with a wrong checksum, or known to be unknown', async () => {
    known.set(secret('u'), null);
    const wrong = `${secret('a').slice(0, -1)}_`;
    for (const one of ['nonsense', wrong, secret('a').replace('live', 'test'), secret('u')]) {
      expect(await authenticate(one)).toBe('invalid_api_key');
    }
    expect(asked).toEqual([]);
  });

  test('for a cached key that is revoked or expired', async () => {
    known.set(secret('r'), { ...caller, endsAt: Number.NEGATIVE_INFINITY });
    known.set(secret('e'), { ...caller, endsAt: NOW() });
    for (const one of ['r', 'e']) expect(await authenticate(secret(one))).toBe('invalid_api_key');
    expect(asked).toEqual([]);
  });
});

describe('from a throttled address', () => {
  beforeEach(() => {
    isThrottled = true;
  });

  test('a cached key is not looked up, but another key is', async () => {
    known.set(secret('k'), caller);
    expect(await authenticate(secret('k'))).toBe('key_one');
    expect(asked).toEqual([]);
    const results = authenticate(secret('n'));
    await turns();
    asked[0]?.answer(caller);
    expect(await results).toBe('key_one');
  });

  test('secrets are looked up one at a time, even after a failure, while other addresses do not wait', async () => {
    const results = ['a', 'b', 'c'].map((letter) => authenticate(secret(letter)));
    await turns();
    expect(asked.map((one) => one.secret)).toEqual([secret('a')]);
    isThrottled = false;
    const other = authenticate(secret('o'));
    await turns();
    asked[1]?.answer(caller);
    expect(await other).toBe('key_one');
    asked[0]?.fail(new Error('away'));
    await turns();
    expect(asked.map((one) => one.secret)).toEqual([secret('a'), secret('o'), secret('b')]);
    asked[2]?.answer(undefined);
    await turns();
    asked[3]?.answer(caller);
    expect(await Promise.all(results)).toEqual(['away', 'invalid_api_key', 'key_one']);
  });

  test('at most 100 lookups wait: the next one fails with a retry time, and not as an invalid key', async () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
    const made = letters.flatMap((letter) => [secret(letter), makeSecret('production', (n) => letter.padEnd(n, '0'))]);
    for (const answeredBefore of [0, 100]) {
      const results = made.slice(0, 100).map(authenticate);
      await turns();
      await expect((async () => check(`Bearer ${made[100]}`, () => true))()).rejects.toEqual(
        expect.objectContaining({ code: 'rate_limit_exceeded', retryAfterSeconds: 1 }),
      );
      for (let answered = 0; answered < 100; answered += 1) {
        asked[answeredBefore + answered]?.answer(undefined);
        await turns();
      }
      expect(new Set(await Promise.all(results))).toEqual(new Set(['invalid_api_key']));
    }
    const next = authenticate(made[101] as string);
    await turns();
    asked[200]?.answer(caller);
    expect(await next).toBe('key_one');
  });

  test('many requests with one key share a lookup', async () => {
    const first = authenticate(secret('k'));
    await turns();
    const results = Array.from({ length: 200 }, () => authenticate(secret('k')));
    await turns();
    asked[0]?.answer(caller);
    await turns();
    asked[1]?.answer(caller);
    expect(new Set(await Promise.all([first, ...results]))).toEqual(new Set(['key_one']));
    expect(asked).toHaveLength(2);
  });

  test('a request that has waited a second for a stuck lookup gets a retry time', async () => {
    const results = ['a', 'b', 'c'].map((letter) => authenticate(secret(letter)));
    await turns();
    NOW.advance(1001);
    const late = authenticate(secret('d'));
    asked[0]?.fail(new Error('away'));
    expect(await Promise.all(results)).toEqual(['away', 'rate_limit_exceeded', 'rate_limit_exceeded']);
    await turns();
    expect(asked.map((one) => one.secret)).toEqual([secret('a'), secret('d')]);
    asked[1]?.answer(caller);
    expect(await late).toBe('key_one');
  });
});
