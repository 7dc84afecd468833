import { describe, expect, test } from 'bun:test';
import { stripVTControlCharacters } from 'node:util';
import type { Column } from './columns.ts';
import { alignColumns, showList, showThing } from './table.ts';
import { NO_TERMINAL } from './terminal.ts';
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

  test('is whole, with field names and ISO times, where there is no terminal', () => {
    const { text, hidden } = show(undefined);
    expect(hidden).toBe(0);
    expect(text.split('\n').slice(0, 2)).toEqual([
      'id  name     status     lastUsedAt                words',
      `1   Łatek    available  2026-11-16T11:58:00.000Z  ${'x'.repeat(60)}`,
    ]);
  });

  test('has straight columns whatever the width of a character is', () => {
    const [first = '', second = ''] = show(undefined).text.split('\n').slice(1);
    const at = (line: string, word: string) => displayWidth(line.slice(0, line.indexOf(word)));
    expect(at(first, 'available')).toBe(at(second, 'sold'));
  });

  test.each([20, 40, 60, 80, 200])('is no wider than %d columns, and says how much it leaves out', (columns) => {
    const { text, hidden } = show(columns);
    const lines = text.split('\n');
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns);
    expect(lines[0]).toStartWith('id  name');
    expect(hidden > 0).toBe(!lines[0]?.includes('words'));
  });

  test('is shown with all columns if that is wished', () => {
    const { text, hidden } = show(20, true);
    expect(hidden).toBe(0);
    expect(text).toContain('x'.repeat(60));
  });

  test('tells people how long ago things were, under headings in words', () => {
    const [heading, first, second] = show(200).text.split('\n');
    expect(heading).toMatch(/^id {2}name {5}status {5}last used {2}words$/);
    expect(first).toContain('available  2 min ago  x');
    expect(second).toMatch(/sold {7}- +-$/);
  });

  test('has colours for what a state means, never red, and the same text without them', () => {
    const coloured = showList(ROWS, { columns: COLUMNS, isWhole: false }, on(80, true)).text;
    expect(coloured).toContain('\u001b[32mavailable\u001b[0m');
    expect(coloured).not.toContain('\u001b[31m');
    expect(stripVTControlCharacters(coloured)).toBe(show(80).text);
  });

  test('that is empty says so', () => {
    expect(showList([], { columns: COLUMNS, isWhole: false }, on(80)).text).toBe('none');
  });
});

describe('a single thing', () => {
  test('tells times in full, and on a terminal how far they are away', () => {
    const thing = { id: 1, lastUsedAt: '2026-11-16T15:00:00.000Z' };
    expect(showThing(thing, COLUMNS, on(80))).toBe('id          1\nlastUsedAt  2026-11-16T15:00:00.000Z  (in 3 h)');
    expect(showThing(thing, COLUMNS, on(undefined))).toBe('id          1\nlastUsedAt  2026-11-16T15:00:00.000Z');
  });

  test('and what it lists can tell a terminal nothing, by names neither', () => {
    const hostile = 'a\u001b[2J\nb';
    const thing = { [hostile]: hostile, inner: { [hostile]: hostile }, list: [{ [hostile]: hostile }] };
    expect(showThing(thing, COLUMNS, on(80)).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    const derived = [{ name: hostile, isTime: false, derive: () => hostile }];
    expect(showList([thing], { columns: derived, isWhole: true }, on(80)).text.replaceAll('\n', '')).not.toMatch(
      /\p{Cc}/u,
    );
  });

  test('shows what it lists as a table below', () => {
    const thing = { id: 1, hours: [{ hour: '12:00', total: 5 }] };
    expect(showThing(thing, COLUMNS, on(undefined))).toBe('id  1\n\nhours\nhour   total\n12:00  5');
  });
});
