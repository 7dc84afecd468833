import { afterEach, describe, expect, test } from 'bun:test';
import { parseJson } from './json.ts';
import { jsonInteger } from './schema.ts';

const MAX = 2n ** 63n - 1n;

describe('reading JSON', () => {
  const integers: [string, number | bigint][] = [
    ['0', 0],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', MAX],
    ['-9223372036854775808', -MAX - 1n],
    ['9223372036854775808', MAX + 1n],
    ['12345678901234567890', 12345678901234567890n],
  ];
  test.each(integers)('keeps all digits of %s', (text, value) => {
    expect(parseJson(text)).toBe(value);
    expect(parseJson(`{"a":[{"b":${text}}]}`)).toEqual({ a: [{ b: value }] });
  });

  const numbers: [string, number][] = [
    ['1.0', 1],
    ['1e2', 100],
    ['-0', -0],
    ['0.5', 0.5],
    ['1e400', Number.POSITIVE_INFINITY],
    ['12345678901234567890.5', Number('12345678901234567890.5')],
    ['123456789012345678901234567890', Number('123456789012345678901234567890')],
    ['-1.50', -1.5],
    ['100e-2', 1],
  ];
  test.each(numbers)('reads %s as a number', (text, value) => {
    expect(parseJson(text)).toBe(value);
  });

  test('reads each of many numbers exactly, whatever the order of keys', () => {
    const text =
      '{"b":0.5,"7":1.5,"a":[-0.5,9007199254740993,{"1":1e2}],"b":2.50,"c":-9007199254740993,"d":1,"e":null}';
    const value = { 7: 1.5, b: 2.5, a: [-0.5, 9007199254740993n, { 1: 100 }], c: -9007199254740993n, d: 1, e: null };
    expect(parseJson(text)).toEqual(value);
  });

  test('leaves digits in text alone', () => {
    const text = '{"12345678901234567890":"12345678901234567890"}';
    expect(parseJson(text)).toEqual({ '12345678901234567890': '12345678901234567890' });
  });

  test('reads no number as a safe integer unless it is exactly that integer', () => {
    for (const text of ['9007199254740991.4', '1234567.0000000001', '1e-400', '-1e-400', '0.9999999999999999999']) {
      const value = parseJson(text);
      expect([text, typeof value === 'bigint' || Number.isSafeInteger(value)]).toEqual([text, false]);
    }
  });

  test.each(['{"__proto__":{"evil":true},"n":1}', '{"__proto__":{"evil":true},"n":12345678901234567890}'])(
    'reads __proto__ as an ordinary field: %s',
    (text) => {
      const value = parseJson(text) as object;
      expect(Object.hasOwn(value, '__proto__')).toBeTrue();
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect('evil' in value).toBeFalse();
    },
  );

  test.each([
    '',
    '{',
    '01',
    '+1',
    '.5',
    '1.',
    'NaN',
    '{"a":1,}',
    "'a'",
    '1n',
    '\u00a01',
    '12345678901234567890,',
    '1.2.3',
    '01.5',
    '1.5.',
    '--1.5',
    '+1.5',
    '1e',
    '1e5e5',
    '1.e2',
    '1-2',
    'a1.5',
    '1.5a',
    '00000000000000001',
  ])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });
});

describe('reading JSON in an old browser', () => {
  const { parse } = JSON;
  afterEach(() => {
    JSON.parse = parse;
  });

  test('rounds no integer to a safe integer', () => {
    JSON.parse = (text, reviver) => parse(text, reviver && ((key, value) => reviver(key, value)));
    expect(parseJson('[1,1.0]')).toEqual([1, 1]);
    for (const text of ['9007199254740993', '9223372036854775807']) {
      expect(Number.isSafeInteger(parseJson(text))).toBeFalse();
    }
  });
});

describe('writing integers', () => {
  const values = [0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, MAX, -MAX - 1n];
  test.each(values)('keeps all digits of %s', (value) => {
    expect(JSON.stringify({ a: [jsonInteger(value)] })).toBe(`{"a":[${value}]}`);
    expect(BigInt(parseJson(JSON.stringify(jsonInteger(value))) as number | bigint)).toBe(value);
  });
});
