import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { createRandomText, toBase62 } from './ids.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('random text', () => {
  test.each([0, 1, 24, 30, 5_000])('is %d characters of base62', (length) => {
    expect(createRandomText(randomBytes)(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`));
  });

  test('uses every character equally often, because biased bytes are dropped', () => {
    const everyByte = (count: number) => Uint8Array.from({ length: count }, (_, index) => index % 256);
    const counts = new Map<string, number>();
    for (const character of createRandomText(everyByte, 256)(2 * 248)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect([...counts.keys()].sort().join('')).toBe(BASE62);
    expect(new Set(counts.values())).toEqual(new Set([8]));
  });

  test('uses each byte of its source once, across block boundaries', () => {
    let next = 0;
    const rising = (count: number) => Uint8Array.from({ length: count }, () => next++);
    const randomText = createRandomText(rising, 5);
    expect(randomText(3) + randomText(4) + randomText(55)).toBe(BASE62);
  });

  test('reads its source one block at a time', () => {
    const asked: number[] = [];
    const randomText = createRandomText((count) => {
      asked.push(count);
      return new Uint8Array(count);
    }, 100);
    for (let made = 0; made < 10; made++) randomText(20);
    expect(asked).toEqual([100, 100]);
  });

  test('does not change when the source reuses its buffer', () => {
    const buffer = new Uint8Array(4);
    let fill = 0;
    const randomText = createRandomText(() => buffer.fill(fill++), 4);
    const first = randomText(2);
    buffer.fill(61);
    expect(first + randomText(2)).toBe('0000');
  });

  test('does not repeat itself in 10,000 ids', () => {
    const randomText = createRandomText(randomBytes);
    expect(new Set(Array.from({ length: 10_000 }, () => randomText(24))).size).toBe(10_000);
  });
});

describe('base62', () => {
  const spelled: [number, number, string][] = [
    [0, 6, '000000'],
    [1, 6, '000001'],
    [61, 1, 'z'],
    [62, 2, '10'],
    [0xffffffff, 6, '4gfFC3'],
  ];
  test.each(spelled)('%d in %d characters is %s', (value, length, text) => {
    expect(toBase62(value, length)).toBe(text);
  });
});
