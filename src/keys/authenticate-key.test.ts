import { beforeEach, describe, expect, test } from 'bun:test';
import { createTestClock } from '../../test/clock.ts';
import { sampleKey } from '../../test/sample-key.ts';
import { createAuthenticate } from './authenticate-key.ts';
import type { Key } from './key.ts';
import { isIssuedForm, makeSecret } from './secret.ts';

const NOW = createTestClock();

const key = sampleKey(['pets:read']);

const secret = (letter: string) => makeSecret('production', (length) => letter.repeat(length));

let known: Map<string, Key | null>;
/** What is looked up, each with how its reading ends. */
let asked: { secret: string; answer(found?: Key): void; fail(error: Error): void }[];
let isSpent: boolean;
let authenticate: (authorization: string) => Promise<string>;
beforeEach(() => {
  known = new Map();
  asked = [];
  isSpent = false;
  const check = createAuthenticate({
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
      return (await check(`Bearer ${one}`, () => isSpent)).keyId ?? '';
    } catch (error) {
      return (error as { code?: string }).code ?? (error as Error).message;
    }
  };
});

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe('nothing is looked up', () => {
  test('for a secret that has no form of a key, for one with a wrong checksum, and for one that is known to open none', async () => {
    known.set(secret('u'), null);
    const wrong = `${secret('a').slice(0, -1)}_`;
    for (const one of ['nonsense', wrong, secret('a').replace('live', 'test'), secret('u')]) {
      expect(await authenticate(one)).toBe('invalid_api_key');
    }
    expect(asked).toEqual([]);
  });

  test('for a key that is known to be revoked or expired', async () => {
    known.set(secret('r'), { ...key, revokedAt: 5 });
    known.set(secret('e'), { ...key, expiresAt: NOW() });
    for (const one of ['r', 'e']) expect(await authenticate(secret(one))).toBe('invalid_api_key');
    expect(asked).toEqual([]);
  });
});

describe('from an address whose window is used up', () => {
  beforeEach(() => {
    isSpent = true;
  });

  test('a key that is known is not looked up, and one that is not is found', async () => {
    known.set(secret('k'), key);
    expect(await authenticate(secret('k'))).toBe('key_one');
    expect(asked).toEqual([]);
    const told = authenticate(secret('n'));
    await turns();
    asked[0]?.answer(key);
    expect(await told).toBe('key_one');
  });

  test('secrets are looked up one at a time, a failure included, and others meanwhile', async () => {
    const told = ['a', 'b', 'c'].map((letter) => authenticate(secret(letter)));
    await turns();
    expect(asked.map((one) => one.secret)).toEqual([secret('a')]);
    isSpent = false;
    const other = authenticate(secret('o'));
    await turns();
    asked[1]?.answer(key);
    expect(await other).toBe('key_one');
    asked[0]?.fail(new Error('away'));
    await turns();
    expect(asked.map((one) => one.secret)).toEqual([secret('a'), secret('o'), secret('b')]);
    asked[2]?.answer(undefined);
    await turns();
    asked[3]?.answer(key);
    expect(await Promise.all(told)).toEqual(['away', 'invalid_api_key', 'key_one']);
  });

  test('a hundred wait at most: the next is told to come again, and not that its key is wrong', async () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
    const made = letters.flatMap((letter) => [secret(letter), makeSecret('production', (n) => letter.padEnd(n, '0'))]);
    const told = made.slice(0, 100).map(authenticate);
    await turns();
    expect(await authenticate(made[100] as string)).toBe('rate_limit_exceeded');
    for (let answered = 0; answered < 100; answered += 1) {
      asked[answered]?.answer(undefined);
      await turns();
    }
    expect(new Set(await Promise.all(told))).toEqual(new Set(['invalid_api_key']));
    const next = authenticate(made[101] as string);
    await turns();
    asked[100]?.answer(key);
    expect(await next).toBe('key_one');
  });

  test('many requests with one key take one turn', async () => {
    const first = authenticate(secret('k'));
    await turns();
    const told = Array.from({ length: 200 }, () => authenticate(secret('k')));
    await turns();
    asked[0]?.answer(key);
    await turns();
    asked[1]?.answer(key);
    expect(new Set(await Promise.all([first, ...told]))).toEqual(new Set(['key_one']));
    expect(asked).toHaveLength(2);
  });

  test('who has waited for a second behind one that is not answered is told to come again', async () => {
    const told = ['a', 'b', 'c'].map((letter) => authenticate(secret(letter)));
    await turns();
    NOW.advance(1001);
    const late = authenticate(secret('d'));
    asked[0]?.fail(new Error('away'));
    expect(await Promise.all(told)).toEqual(['away', 'rate_limit_exceeded', 'rate_limit_exceeded']);
    await turns();
    expect(asked.map((one) => one.secret)).toEqual([secret('a'), secret('d')]);
    asked[1]?.answer(key);
    expect(await late).toBe('key_one');
  });
});
