import { describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { int64Text } from '../../kernel/schema.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

const binding = { list: 'listPets', filters: '{"status":"sold"}', order: 'asc' as const };
const positions = ['1', '42', '9223372036854775807', '-9223372036854775808', '0'];
const decode = (cursor: string, bound: Parameters<typeof decodeCursor>[0] = binding) =>
  decodeCursor(bound, int64Text, cursor);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. ';
const refused = expect.objectContaining({
  code: 'invalid_cursor',
  status: 400,
  faults: [expect.objectContaining({ parameter: 'cursor' })],
});

describe('a cursor', () => {
  test.each(positions)('decodes to the position %s', (position) => {
    expect(decode(encodeCursor(binding, position))).toBe(BigInt(position));
  });

  test('from an earlier version stays valid', () => {
    expect(decode('MS4xdDhheGtyLjQy')).toBe(42n);
  });

  test.each(positions)('for %s needs no encoding in a URL', (position) => {
    expect(encodeCursor(binding, position)).toMatch(/^[\w-]+$/);
  });

  test.each(positions)('for %s is refused if any single character is changed, removed or added', (position) => {
    const cursor = encodeCursor(binding, position);
    const accepted: string[] = [];
    const tryOne = (damaged: string) => {
      if (damaged === cursor) return;
      try {
        decode(damaged);
        accepted.push(damaged);
      } catch (error) {
        expect(error).toEqual(refused);
      }
    };
    for (let at = 0; at <= cursor.length; at++) {
      const [before, behind] = [cursor.slice(0, at), cursor.slice(at)];
      tryOne(before + behind.slice(1));
      for (const character of ALPHABET) {
        tryOne(before + character + behind.slice(1));
        tryOne(before + character + behind);
      }
    }
    expect(accepted).toEqual([]);
  });

  const others: [string, Parameters<typeof decodeCursor>[0]][] = [
    ['another list', { ...binding, list: 'listOrders' }],
    ['another filter', { ...binding, filters: '{"status":"pending"}' }],
    ['no filter', { ...binding, filters: '{}' }],
    ['another order', { ...binding, order: 'desc' }],
  ];
  test.each(others)('is refused with %s', (_, other) => {
    for (const position of positions) expect(() => decode(encodeCursor(binding, position), other)).toThrow(refused);
  });

  test.each(['', '.', 'MQ', '__proto__', '\0', 'é', '💥', '='.repeat(8), 'A'.repeat(64)])(
    'is refused if it is malformed: %j',
    (text) => {
      expect(() => decode(text)).toThrow(refused);
    },
  );

  test('is refused if its position is malformed, even with a correct checksum', () => {
    for (const position of ['', '007', 'abc', '1.5', '9223372036854775808']) {
      expect(() => decode(encodeCursor(binding, position))).toThrow(refused);
    }
  });

  test('preserves dots in a position', () => {
    expect(decodeCursor(binding, z.string(), encodeCursor(binding, '2026.11.20'))).toBe('2026.11.20');
  });
});
