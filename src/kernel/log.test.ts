import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createSecretMask } from './log.ts';

const RANDOM = 'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17';
const KEY = `ps_live_${RANDOM}`;
const ADMIN = 'an "admin"\\key.of+its*own?form'.replaceAll(' ', '-');

const percent = (character: string) => `%${character.charCodeAt(0).toString(16)}`;
const everyCharacter = (text: string) => [...text].map(percent).join('');

const { mask, mayHoldSecret } = createSecretMask(ADMIN);

describe('a key in a text', () => {
  const spellings: [string, string][] = [
    ['unencoded', KEY],
    ['of staging', KEY.replace('live', 'test')],
    ['truncated', KEY.slice(0, 20)],
    ['with its first character encoded', KEY.replace('p', '%70')],
    ['with its underscores encoded', KEY.replaceAll('_', '%5F')],
    ['with its underscores encoded in lower case', KEY.replaceAll('_', '%5f')],
    ['with every character encoded', everyCharacter(KEY)],
    ['with every character encoded in capitals', everyCharacter(KEY).toUpperCase()],
    ['encoded twice', encodeURIComponent(everyCharacter(KEY))],
    ['encoded three times', encodeURIComponent(encodeURIComponent(everyCharacter(KEY)))],
  ];
  test.each(spellings)('%s is masked, and the text around it is not', (_, spelling) => {
    const instead = spelling.includes('test') ? 'ps_test_…' : 'ps_live_…';
    expect(mask(`/v1/${spelling}/history?x=1`)).toBe(`/v1/${instead}/history?x=1`);
    expect(mask(`%2F${spelling}%2F`)).toBe(`%2F${instead}%2F`);
    expect(mask(`${spelling} ${spelling}`)).toBe(`${instead} ${instead}`);
  });

  test('is masked whichever of its characters are encoded, and however often', () => {
    const times = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: KEY.length, maxLength: KEY.length });
    fc.assert(
      fc.property(times, (encodings) => {
        const spelling = [...KEY].map((character, at) => {
          const often = encodings[at] ?? 0;
          return often === 0 ? character : `%${'25'.repeat(often - 1)}${percent(character).slice(1)}`;
        });
        expect(mask(`/${spelling.join('')}/`)).toBe('/ps_live_…/');
      }),
    );
  });
});

describe('the admin key, which may have any form,', () => {
  test.each([
    ['unencoded', ADMIN],
    ['escaped as in JSON', JSON.stringify(ADMIN).slice(1, -1)],
    ['encoded', encodeURIComponent(ADMIN)],
    ['with every character encoded', everyCharacter(ADMIN)],
    ['with every character encoded in capitals', everyCharacter(ADMIN).toUpperCase()],
    ['encoded twice', encodeURIComponent(encodeURIComponent(ADMIN))],
  ])('is masked %s', (_, spelling) => {
    expect(mask(`/v1/${spelling}/pets`)).toBe('/v1/(admin key)/pets');
  });

  test('is masked when it has the form of an issued key', () => {
    expect(createSecretMask(KEY).mask(`x${KEY}x ${KEY.replace('live', 'test')}`)).not.toContain(RANDOM);
  });
});

test('a text without a secret is unchanged', () => {
  for (const text of ['/v1/pets/7', '100 %', '/v1/%20/ps_', 'ps_live_', 'steps_live_', 'an-admin', '%70s%5flive']) {
    expect(mask(text)).toBe(text);
  }
});

test('bytes that may contain a secret are recognized', () => {
  for (const text of [KEY, everyCharacter(KEY), ADMIN, JSON.stringify(ADMIN)]) {
    expect(mayHoldSecret(Buffer.from(`{"path":"${text}"}\n`))).toBe(true);
  }
  expect(mayHoldSecret(Buffer.from('{"path":"/v1/pets/7","keyId":"key_0123"}\n'))).toBe(false);
});
