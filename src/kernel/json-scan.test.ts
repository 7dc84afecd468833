import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { scanJson } from './json.ts';

const BOUNDS = { depth: 32, values: 128, escapes: 3000, digits: 64, doubtful: 16 };

const judge = (text: string) => scanJson(text, BOUNDS).fault;
const list = (count: number, item: string) => `[${Array(count).fill(item).join(',')}]`;
const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const EDGES: readonly [string, string, string][] = [
  ['nested too deeply', nest(32), nest(33)],
  ['nested too deeply', '{"a":'.repeat(32), '{"a":'.repeat(33)],
  ['too many values', list(127, '1'), list(128, '1')],
  ['too many values', list(127, ' [ ] '), list(128, '{\n}')],
  ['too many values', list(127, 'null'), list(64, '[null]')],
  ['too many values', list(42, '{"a":[]}'), `[${list(63, '{"a":1}')},2]`],
  ['too many escapes', `"${'\\n'.repeat(3000)}"`, `"${'\\n'.repeat(3001)}"`],
  ['too many escapes', `["${'\\"'.repeat(2900)}","${'\\\\'.repeat(100)}"]`, list(4, `"${'\\u0041'.repeat(1000)}"`)],
  ['too many escapes', `"${`\\n${'a'.repeat(90)}`.repeat(3000)}"`, `"${`\\n${'a'.repeat(90)}`.repeat(3001)}"`],
  ['too many numbers', list(16, '1.5'), list(17, '1e2')],
  ['too many numbers', list(16, '1234567890123456'), list(17, '-1234567890123456')],
  ['number that is too long', '1'.repeat(64), '1'.repeat(65)],
  ['number that is too long', `-1.${'0'.repeat(62)}`, `[1e+${'0'.repeat(62)}]`],
];

describe('JSON before it is parsed', () => {
  test.each(EDGES)('is refused beyond a limit, and accepted at the limit: %s', (words, fits, exceeds) => {
    expect(judge(fits)).toBeUndefined();
    expect(judge(exceeds)).toContain(words);
  });

  test('is measured only outside strings', () => {
    const text = `${'[{,'.repeat(5000)}${'1'.repeat(5000)}`;
    expect(scanJson(JSON.stringify({ [text]: text }), BOUNDS)).toEqual({ doubtful: 0 });
    expect(scanJson('"\\\\\\"[[[1.5" ', BOUNDS)).toEqual({ doubtful: 0 });
  });

  test('is left to the parser if it is invalid', () => {
    for (const text of ['', '"', '"\\', ']]]]', '{"a', '\\[', 'truefalse', 'eeeee.....', '1-'.repeat(9)]) {
      expect([text, judge(text)]).toEqual([text, undefined]);
    }
  });

  const numbers: [string, number][] = [
    ['123456789012345', 0],
    ['-123456789012345', 0],
    ['{"鳥":[1234567890123456]}', 1],
    ['[1.0,-1e2]', 2],
    [`[true,false,"1.5","1234567890123456",0${' '.repeat(99)},1.5]`, 1],
  ];
  test.each(numbers)('is searched for numbers that may be rounded: %s', (text, found) => {
    expect(scanJson(text, BOUNDS).doubtful).toBe(found);
  });

  const countValues = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce<number>((sum, inner) => sum + countValues(inner), 1)
      : 1;

  test('has its values counted exactly', () => {
    const shapes = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 100 });
    fc.assert(
      fc.property(shapes, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const { fault } = scanJson(text, { ...BOUNDS, doubtful: Infinity });
        expect(fault !== undefined).toBe(countValues(JSON.parse(text)) > 128);
      }),
      { numRuns: 300 },
    );
  });
});
