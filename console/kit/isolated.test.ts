import { expect, test } from 'bun:test';
import { isolated } from './isolated.ts';

test('a name that turns the direction of text turns nothing behind it, and any other stays as it is', () => {
  for (const name of ['Rex', 'Łatek', '小鳥', '🦊', '<b>']) expect(isolated(name)).toBe(name);
  for (const name of ['\u202Eevil', 'مرحبا', 'שלום', '\u2067x']) expect(isolated(name)).toBe(`\u2068${name}\u2069`);
});
