import { expect, test } from 'bun:test';
import { functionsIn } from './sizes.ts';

const SOURCE = `
export const one = (
  first: number,
  second: number,
): number => {
  if (first > second) {
    return 1;
  }
  const two = () => {
    return 2;
  };
  return two();
};

const three = (word: string) => word;

async function four(): Promise<void> {
  await three('');
}
`;

test('the functions of a file are found with their heads, those inside others too, and blocks are none', () => {
  expect(functionsIn(SOURCE)).toEqual([
    { line: 2, lines: 12 },
    { line: 9, lines: 3 },
    { line: 17, lines: 3 },
  ]);
});
