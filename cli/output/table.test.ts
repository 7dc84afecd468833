import { describe, expect, test } from 'bun:test';
import { stripVTControlCharacters } from 'node:util';
import { NO_TERMINAL } from '../../test/no-terminal.ts';
import type { Column } from './columns.ts';
import { alignColumns, showList, showThing } from './table.ts';
import { displayWidth } from './text.ts';

const NOW = Date.parse('2026-11-16T12:00:00.000Z');
const on = (columns: number | undefined, hasColours = false) => ({
  ...NO_TERMINAL,
  columns,
  hasColours,
  clock: () => NOW,
});

const COLUMNS: Column[] = ['id', 'name', 'status', 'lastUsedAt', 'words'].map((name) => ({
  name,
  isTime: name === 'lastUsedAt',
}));
const ROWS = [
  { id: 1, name: 'Łatek', status: 'available', lastUsedAt: '2026-11-16T11:58:00.000Z', words: 'x'.repeat(60) },
  { id: 20, name: '小鳥 🐕', status: 'sold', lastUsedAt: null, words: [] },
];
const show = (columns: number | undefined, isWhole = false) =>
  showList(ROWS, { columns: COLUMNS, isWhole }, on(columns));

describe('a list', () => {
  test('may have a million rows', () => {
    const rows = Array<string[]>(1_000_000).fill(['x']);
    expect(alignColumns(rows)).toHaveLength(1_999_999);
  });

  test('shows all columns, field names and ISO times without a terminal', () => {
    const { text, hidden } = show(undefined);
    expect(hidden).toBe(0);
    expect(text.split('\n').slice(0, 2)).toEqual([
      'id  name     status     lastUsedAt                words',
      `1   Łatek    available  2026-11-16T11:58:00.000Z  ${'x'.repeat(60)}`,
    ]);
  });

  test('aligns columns with wide characters', () => {
    const [first = '', second = ''] = show(undefined).text.split('\n').slice(1);
    const at = (line: string, word: string) => displayWidth(line.slice(0, line.indexOf(word)));
    expect(at(first, 'available')).toBe(at(second, 'sold'));
  });

  test.each([20, 40, 60, 80, 200])('fits %d columns, and counts the hidden ones', (columns) => {
    const { text, hidden } = show(columns);
    const lines = text.split('\n');
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns);
    expect(lines[0]).toStartWith('id  name');
    expect(hidden > 0).toBe(!lines[0]?.includes('words'));
  });

  test('shows all columns on request', () => {
    const { text, hidden } = show(20, true);
    expect(hidden).toBe(0);
    expect(text).toContain('x'.repeat(60));
  });

  test('shows relative times and readable headings on a terminal', () => {
    const [heading, first, second] = show(200).text.split('\n');
    expect(heading).toMatch(/^id {2}name {5}status {5}last used {2}words$/);
    expect(first).toContain('available  2 min ago  x');
    expect(second).toMatch(/sold {7}- +-$/);
  });

  test('colours states, but never red, and keeps the text unchanged', () => {
    const coloured = showList(ROWS, { columns: COLUMNS, isWhole: false }, on(80, true)).text;
    expect(coloured).toContain('\u001b[32mavailable\u001b[0m');
    expect(coloured).not.toContain('\u001b[31m');
    expect(stripVTControlCharacters(coloured)).toBe(show(80).text);
  });

  test('shows "none" when it is empty', () => {
    expect(showList([], { columns: COLUMNS, isWhole: false }, on(80)).text).toBe('none');
  });
});

describe('a single object', () => {
  test('shows times in full, and on a terminal also relative to now', () => {
    const thing = { id: 1, lastUsedAt: '2026-11-16T15:00:00.000Z' };
    expect(showThing(thing, COLUMNS, on(80))).toBe('id          1\nlastUsedAt  2026-11-16T15:00:00.000Z  (in 3 h)');
    expect(showThing(thing, COLUMNS, on(undefined))).toBe('id          1\nlastUsedAt  2026-11-16T15:00:00.000Z');
  });

  test('escapes control characters in values, names and lists', () => {
    const hostile = 'a\u001b[2J\nb';
    const thing = { [hostile]: hostile, inner: { [hostile]: hostile }, list: [{ [hostile]: hostile }] };
    expect(showThing(thing, COLUMNS, on(80)).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    const derived = [{ name: hostile, isTime: false, derive: () => hostile }];
    expect(showList([thing], { columns: derived, isWhole: true }, on(80)).text.replaceAll('\n', '')).not.toMatch(
      /\p{Cc}/u,
    );
  });

  test('shows its lists as tables below', () => {
    const thing = { id: 1, hours: [{ hour: '12:00', total: 5 }] };
    expect(showThing(thing, COLUMNS, on(undefined))).toBe('id  1\n\nhours\nhour   total\n12:00  5');
  });
});
