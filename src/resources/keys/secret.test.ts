import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { createRandomText } from '../../kernel/ids.ts';
import { hashSecret, makeSecret, recognise, secretFault } from './secret.ts';

const randomText = createRandomText(randomBytes);
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62 = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 30, maxLength: 30 });

const checksum = (random: string) => makeSecret('production', () => random).slice(-6);

describe('the checksum of a key', () => {
  // This example is from GitHub's description of its own token format.
  test('is the CRC-32 of the random part in base62', () => {
    expect(checksum('zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ')).toBe('0mLq17');
  });

  test('always has six characters of base62', () => {
    fc.assert(fc.property(base62, (random) => /^[0-9A-Za-z]{6}$/.test(checksum(random))));
  });
});

describe('a new key', () => {
  test.each([
    ['production', /^ps_live_[0-9A-Za-z]{36}$/],
    ['staging', /^ps_test_[0-9A-Za-z]{36}$/],
  ] as const)('for %s has the prefix, 30 random characters and their checksum', (environment, shape) => {
    const secret = makeSecret(environment, randomText);
    expect(secret).toMatch(shape);
    expect(secret.slice(38)).toBe(checksum(secret.slice(8, 38)));
  });

  test('is never the same twice', () => {
    const secrets = Array.from({ length: 1000 }, () => makeSecret('production', randomText));
    expect(new Set(secrets).size).toBe(1000);
  });

  test('shows its prefix and its last four characters', () => {
    expect(recognise(`ps_test_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ'}0mLq17`)).toEqual({
      prefix: 'ps_test_',
      last4: 'Lq17',
    });
  });
});

describe('a secret chosen by the operator', () => {
  test('has no prefix, and shows its last four characters', () => {
    expect(recognise('an-operator-chose-this')).toEqual({ prefix: '', last4: 'this' });
  });

  test('has no fault, because it has no checksum', () => {
    expect(secretFault('an-operator-chose-this', 'production')).toBeUndefined();
  });
});

describe('a received key', () => {
  test.each(['production', 'staging'] as const)('has no fault in %s, where it was created', (environment) => {
    fc.assert(
      fc.property(base62, (random) => {
        expect(
          secretFault(
            makeSecret(environment, () => random),
            environment,
          ),
        ).toBeUndefined();
      }),
    );
  });

  test('of production is refused on staging, and vice versa', () => {
    expect(secretFault(makeSecret('production', randomText), 'staging')).toContain('production key');
    expect(secretFault(makeSecret('staging', randomText), 'production')).toContain('staging key');
  });

  test('with one mistyped character fails its checksum', () => {
    const mistyped = fc.tuple(base62, fc.nat({ max: 35 }), fc.constantFrom(...ALPHABET));
    fc.assert(
      fc.property(mistyped, ([random, at, character]) => {
        const secret = makeSecret('production', () => random);
        fc.pre(secret[8 + at] !== character);
        const wrong = secret.slice(0, 8 + at) + character + secret.slice(9 + at);
        expect(secretFault(wrong, 'production')).toContain('checksum');
      }),
    );
  });
});

test('only the SHA-256 of a secret is stored', () => {
  expect(Buffer.from(hashSecret('abc')).toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
