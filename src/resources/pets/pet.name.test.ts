import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { afterPrefix, foldName } from './pet.ts';

const codePoints = fc.integer({ min: 1, max: 0x10ffff }).filter((point) => point < 0xd800 || point > 0xdfff);
/**
 * Half of the generated characters are edge cases, such as characters near the surrogate range, or near a code point
 * where the UTF-8 length changes.
 */
const character = fc.oneof(
  codePoints.map((point) => String.fromCodePoint(point)),
  fc.constantFrom(
    'a',
    '\u007f',
    '\u0080',
    '\u07ff',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '\u{10000}',
    '\u{10fffe}',
    '\u{10ffff}',
  ),
);
const text = fc.array(character, { maxLength: 5 }).map((characters) => characters.join(''));

const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('the folded form of a name', () => {
  test.each([
    ['Rex', 'rex'],
    ['ＲＥＸ', 'rex'],
    ['Ze\u0301', 'zé'],
    ['ﬁnn', 'finn'],
    ['Weiß', 'weiß'],
    ['WEIẞ', 'weiß'],
    ['İda', 'i\u0307da'],
    ['ΝΊΚΟΣ', 'νίκοσ'],
    ['Νίκος', 'νίκοσ'],
    ['ﷺ', 'صلى الله عليه وسلم'],
    ['🐕 Rex', '🐕 rex'],
  ])('of %j is %j', (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });

  test('has at most 64 characters, without half a surrogate pair', () => {
    expect(foldName('X'.repeat(255))).toBe('x'.repeat(64));
    expect(foldName('🐕'.repeat(65))).toBe('🐕'.repeat(64));
    expect(foldName(`${'x'.repeat(63)}ﬁ`)).toBe(`${'x'.repeat(63)}f`);
    expect(foldName('ﷺ'.repeat(255))).toHaveLength(64);
  });

  test('is its own folded form', () => {
    fc.assert(fc.property(text, (name) => expect(foldName(foldName(name))).toBe(foldName(name))));
  });

  test('of a prefix does not depend on the characters that follow', () => {
    const follows = fc.constantFrom('', 'a', ' ', 'Σ', '🐕', 'ß');
    const letters = fc.array(fc.constantFrom('Σ', 'σ', 'ς', 'Α', 'İ', 'I', 'ẞ', 'ﬁ', '.', ' ', 'x'), { minLength: 1 });
    fc.assert(
      fc.property(letters, follows, (first, rest) => {
        const prefix = first.join('');
        expect(foldName(prefix + rest)).toStartWith(foldName(prefix));
      }),
    );
  });
});

describe('the first text after a prefix', () => {
  test.each([
    ['re', 'rf'],
    ['a\ud7ff', 'a\ue000'],
    ['a\uffff', 'a\u{10000}'],
    ['a\u{10ffff}\u{10ffff}', 'b'],
    ['\u{10ffff}', undefined],
    ['', undefined],
  ])('for %j is %j', (prefix, behind) => {
    expect(afterPrefix(prefix)).toBe(behind as string);
  });

  test('bounds exactly the texts with that prefix, in UTF-8 byte order', () => {
    const given = fc
      .tuple(text, text, fc.boolean())
      .map(([prefix, other, isOf]) => [prefix, isOf ? prefix + other : other]);
    fc.assert(
      fc.property(given, ([prefix = '', other = '']) => {
        const behind = afterPrefix(prefix);
        const isBetween = compare(other, prefix) >= 0 && (behind === undefined || compare(other, behind) < 0);
        expect(isBetween).toBe(other.startsWith(prefix));
      }),
      { numRuns: 1000 },
    );
  });
});
