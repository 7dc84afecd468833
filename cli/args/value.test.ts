import { describe, expect, test } from 'bun:test';
import type { RequestFlag } from './flag.ts';
import { durationMs, toJsonValue } from './value.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');

const flag = (kind: RequestFlag['kind'], nullable = false): RequestFlag => ({
  ...{ flag: 'it', value: 'x', meaning: '', place: 'body', path: ['it'] },
  kind,
  nullable,
});
const read = (kind: RequestFlag['kind'], text: string, nullable = false) =>
  toJsonValue(flag(kind, nullable), text, NOW);

describe('a duration', () => {
  test.each([
    ['1s', 1000],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    ['90d', 7_776_000_000],
    ['1000000s', 1_000_000_000],
  ])('%s is read with all its digits and its unit', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  test.each(['', '90', 'd', '0d', '-1d', '1.5h', '1w', '1 d', '1D', '90d ', '12345678s'])('is never "%s"', (text) => {
    expect(durationMs(text)).toBeUndefined();
  });
});

describe('the value of a flag', () => {
  test.each([
    ['90d', '2027-02-14T12:00:00.000Z'],
    ['1m', '2026-11-16T12:01:00.000Z'],
    ['2027-01-31', '2027-01-31T00:00:00Z'],
    ['2027-01-31T12:30Z', '2027-01-31T12:30:00Z'],
    ['2027-01-31T12:30+02:00', '2027-01-31T12:30:00+02:00'],
    ['2027-01-31T12:30:15.5-05:00', '2027-01-31T12:30:15.5-05:00'],
    ['tomorrow', 'tomorrow'],
  ])('is read as a time: %s', (text, time) => {
    expect(read('time', text)).toBe(time);
  });

  test.each([
    ['7', 7],
    ['-7', -7],
    ['9007199254740991', 9007199254740991],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['7.5', '7.5'],
  ])('is read as an integer with every digit: %s', (text, value) => {
    expect(read('integer', text)).toBe(value);
  });

  test('is read as null only for a field that may be null', () => {
    expect(read('string', 'null', true)).toBeNull();
    expect(read('string', 'null')).toBe('null');
  });

  test('is read as a boolean, a list without spaces, or JSON', () => {
    expect([read('boolean', 'true'), read('boolean', 'false'), read('boolean', 'yes')]).toEqual([true, false, 'yes']);
    expect(read('array', 'pets:read, orders:read')).toEqual(['pets:read', 'orders:read']);
    expect(read('json', '[{"id":9223372036854775807}]')).toEqual([{ id: 9223372036854775807n }]);
    expect(() => read('json', '[{')).toThrow('--it must be valid JSON');
  });
});
