import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { runs } from '../../test/property-runs.ts';
import { digitsOf, parseJson, writeJson } from './json.ts';

const BEYOND = 9_007_199_254_740_993n;
const MOST = 9_223_372_036_854_775_807n;

describe('an integer in a response', () => {
  test.each([
    ['9007199254740991', 9_007_199_254_740_991],
    ['-9007199254740991', -9_007_199_254_740_991],
    ['9007199254740992', 9_007_199_254_740_992n],
    ['9007199254740993', BEYOND],
    ['9223372036854775807', MOST],
    ['-9223372036854775808', -(2n ** 63n)],
    ['0000000000000000', undefined],
  ])('%s is a number if that is exact, and otherwise a bigint', (text, value) => {
    if (value === undefined) expect(() => parseJson(`[${text}]`)).toThrow(SyntaxError);
    else expect(parseJson(`{"n": ${text}, "list":[${text}]}`)).toEqual({ n: value, list: [value] });
  });

  test('is a number if it has more digits than any int64, so that a hostile body is parsed quickly', () => {
    expect(parseJson(`[${'9'.repeat(21)}]`)).toEqual([1e21]);
    expect(parseJson(`[${'9'.repeat(400)}]`)).toEqual([Number.POSITIVE_INFINITY]);
  });

  test.each([
    '"12345678901234567890"',
    '"a \\" 12345678901234567890"',
    '{"12345678901234567890":"\\\\"}',
    '"\\u0031234567890123456789"',
    '[1.2345678901234567890, 1e20, 123456789012345678901234567890.5]',
  ])('is not found in %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test('survives a round trip, anywhere in the body', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.stringMatching(/^["\\0-9,]{0,24}$/),
        fc.bigInt({ min: -(2n ** 63n), max: MOST }).map((n) => (Number.isSafeInteger(Number(n)) ? Number(n) : n)),
        fc
          .double({ noNaN: true, noDefaultInfinity: true, max: 1e15, min: -1e15 })
          .map((n) => (Object.is(n, -0) ? 0 : n)),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('any'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (given) => {
        expect(parseJson(writeJson(given))).toEqual(given);
      }),
      runs(0.1),
    );
  });
});

describe('an integer in a request', () => {
  test('is written in plain digits, as a number or a bigint', () => {
    expect(writeJson({ a: MOST, b: [-5n, 7], c: '5' })).toBe('{"a":9223372036854775807,"b":[-5,7],"c":"5"}');
    expect(writeJson({ petId: 7n })).toBe('{"petId":7}');
    expect(digitsOf(MOST)).toBe('9223372036854775807');
  });

  test('is refused if it is a number that may already have been rounded', () => {
    // biome-ignore lint/correctness/noPrecisionLoss: the test needs an unsafe integer.
    expect(() => writeJson({ categoryId: 9007199254740993 })).toThrow('pass a bigint');
    expect(() => digitsOf(2 ** 60)).toThrow('pass a bigint');
  });
});
