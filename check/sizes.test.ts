import { describe, expect, test } from 'bun:test';
import { functionsIn } from './sizes.ts';

describe('the length of a function', () => {
  const lengths = (...lines: string[]) => functionsIn(lines.join('\n'));

  test.each<string[]>([
    ['an arrow', 'export const add = (one: number) => {', '  return one;', '};'],
    ['a function', 'function add(one: number): number {', '  return one;', '}'],
    ['a function that returns an object', 'const pet = (name: string) => ({', '  name,', '});'],
    ['a function without the comment above it', '/** Adds. */', 'const add = () => {', '  sum();', '};'],
  ])('is found for %s', (_, ...lines: string[]) => {
    expect(lengths(...lines)).toEqual([{ line: lines.length - 2, lines: 3 }]);
  });

  test('includes its parameters', () => {
    const lines = ['export const add = (', '  one: number,', '  two: number,', '): number => {', '  return one;', '};'];
    expect(lengths(...lines)).toEqual([{ line: 1, lines: 6 }]);
  });

  test('is found for the outer function and for each inner one, including methods', () => {
    const lines = ['const make = () => {', '  return {', '    add(one: number) {', '', '    },', '  };', '};'];
    expect(lengths(...lines)).toEqual([
      { line: 1, lines: 7 },
      { line: 3, lines: 3 },
    ]);
  });

  test('is not found for a loop, a condition or a type', () => {
    const lines = ['if (isOpen(one)) {', '  close();', '} else if (isNew(one)) {', '  open();', '}', 'for (;;) {', '}'];
    expect(lengths(...lines, 'type Pet = {', '  name: string;', '};')).toEqual([]);
  });
});
