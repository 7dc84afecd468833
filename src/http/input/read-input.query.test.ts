import { describe, expect, test } from 'bun:test';
import { readQuery } from './read-input.ts';

const names = new Map([
  ['limit', 'once'],
  ['status', 'once'],
  ['ids', 'list'],
] as const);
const read = (text: string) => readQuery(text, names);

describe('a query', () => {
  const queries: [string, Record<string, string>][] = [
    ['', {}],
    ['limit=5', { limit: '5' }],
    ['limit=5&status=sold', { limit: '5', status: 'sold' }],
    ['%6C%69mit=5', { limit: '5' }],
    ['status=a+b', { status: 'a b' }],
    ['status=a%2Bb', { status: 'a+b' }],
    ['status=%C3%A9', { status: 'é' }],
    ['status=a=b', { status: 'a=b' }],
    ['limit', { limit: '' }],
    ['limit=', { limit: '' }],
    ['&&limit=5&', { limit: '5' }],
  ];
  test.each(queries)('is parsed: "%s"', (text, values) => {
    expect(read(text)).toEqual(values);
  });

  test.each([
    'x=1&x=2',
    'Limit=5',
    ' limit=5',
    'limit[]=5',
    'x[]=5',
    '[]=5',
    'ids[0]=5',
    'ids[][]=5',
    '%ff=1',
    '%=%',
    '=5',
    'toString=1',
    '__proto__=1',
  ])('is ignored if its name is unknown: "%s"', (text) => {
    expect(Object.keys(read(text))).toEqual([]);
  });

  test.each([
    ['ids=1&ids=2', '1,2'],
    ['ids=1,2&ids=3', '1,2,3'],
    ['ids=1&limit=5&x=2&%69ds=2%2C3', '1,2,3'],
    ['ids=1&ids=', '1,'],
    ['ids&ids=1', ',1'],
    ['ids[]=1', '1'],
    ['ids[]=1&ids%5B%5D=2&ids=3', '1,2,3'],
  ])('joins the values of a repeated list with commas: "%s"', (text, ids) => {
    expect(read(text).ids).toBe(ids);
  });

  test.each(['limit=1&limit=2', 'limit=1&limit=1', 'limit&limit', 'limit=1&x=2&%6Cimit=3'])(
    'is refused if a known name is repeated: "%s"',
    (text) => {
      expect(() => read(text)).toThrow(
        expect.objectContaining({ code: 'invalid_parameter', message: 'limit: must be given only once' }),
      );
    },
  );

  test.each(['%', '%f', '%zz', '%ff', '%C0%80', '%ED%A0%80', 'a%'])(
    'is refused if a known value is not percent-encoded UTF-8: "%s"',
    (value) => {
      expect(() => read(`status=${value}`)).toThrow(
        expect.objectContaining({ code: 'invalid_parameter', message: 'status: must be percent-encoded UTF-8' }),
      );
    },
  );
});
