import { expect, test } from 'bun:test';
import { isolated, plural, showJson } from './text.ts';

test('a name that changes the text direction is isolated, and any other stays unchanged', () => {
  for (const name of ['Rex', 'Łatek', '小鳥', '🦊', '<b>']) expect(isolated(name)).toBe(name);
  for (const name of ['\u202Eevil', 'مرحبا', 'שלום']) expect(isolated(name)).toBe(`\u2068${name}\u2069`);
});

test('a name cannot end its own isolation', () => {
  for (const [name, shown] of [
    ['\u2069\u202Eevil', '\u202Eevil'],
    ['\u2067\u2067x', 'x'],
    ...['\u2029', '\u0085', '\u001C', '\n'].map((end) => [`a${end}\u202Eevil`, 'a\u202Eevil']),
  ] as [string, string][]) {
    expect(isolated(name)).toBe(`\u2068${shown}\u2069`);
  }
});

test('a count has separators, and its noun is plural except after 1', () => {
  expect([0, 1, 1200].map((count) => plural(count, 'pet'))).toEqual(['0 pets', '1 pet', '1,200 pets']);
});

test('JSON keeps every digit of an integer', () => {
  expect(showJson({ id: 9223372036854775807n, name: 'Rex' })).toBe('{"id":9223372036854775807,"name":"Rex"}');
});
