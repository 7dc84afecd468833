import { describe, expect, test } from 'bun:test';
import { isAccepted, showFigures, sizeFigures } from './figures.ts';

const lines = (count: number): string => 'line\n'.repeat(count);

describe('the figures for sources', () => {
  const figures = sizeFigures(
    new Map([
      ['src/compose/compose.ts', lines(50)],
      ['src/compose/compose.test.ts', lines(1000)],
      ['src/pets/pets.repository.suite.ts', lines(1000)],
      ['src/pets/pet.ts', lines(401)],
      ['cli/run.ts', lines(10)],
      ...Array.from({ length: 21 }, (_, nth): [string, string] => [`console/page-${nth}.tsx`, lines(900)]),
      ['client/src/generated/types.ts', lines(5000)],
    ]),
  );
  const figure = (name: string) => figures.find((one) => one.name.startsWith(name))?.value;

  test('count lines outside tests, and are zero for a missing folder', () => {
    expect(['lines of src', 'lines of cli', 'lines of generate', 'lines of all three'].map(figure)).toEqual([
      451, 10, 0, 461,
    ]);
  });

  test('count the files of a folder, except tests', () => {
    expect(figure('files in src/compose')).toBe(1);
    expect(figure('files in the fullest folder, console')).toBe(21);
  });

  test('name the median and the longest file of src, cli and generate', () => {
    expect(figure('lines of the median file')).toBe(50);
    expect(figure('lines of the longest file, src/pets/pet.ts')).toBe(401);
  });

  test('are zero without sources', () => {
    expect(sizeFigures(new Map()).map(({ value }) => value)).toEqual(Array(8).fill(0));
  });
});

test.each([
  [{ value: 400, most: 400 }, /400 +at most 400 +met$/],
  [{ value: 1401, most: 1400 }, /1,401 +at most 1,400 +not met$/],
  [{ value: 39, least: 40, most: 80 }, /39 +40 to 80 +not met$/],
  [{ value: 40, least: 40, most: 80 }, /40 +40 to 80 +met$/],
  [{ value: 7 }, / 7$/],
  [{ value: 450, most: 400, ceiling: 450 }, /450 +at most 400 +not met, see decision 24$/],
  [{ value: 451, most: 400, ceiling: 450 }, /451 +at most 400 +not met$/],
])('a figure is shown next to its target: %p', (figure, shown) => {
  expect(showFigures([{ name: 'lines', ...figure }])[0]).toMatch(shown);
});

test.each([
  [{ value: 400, most: 400 }, true],
  [{ value: 401, most: 400 }, false],
  [{ value: 39, least: 40, most: 80 }, false],
  [{ value: 450, most: 400, ceiling: 450 }, true],
  [{ value: 451, most: 400, ceiling: 450 }, false],
  [{ value: 7 }, true],
])('a figure fails the check only above its ceiling or its target: %p', (figure, expected) => {
  expect(isAccepted({ name: 'lines', ...figure })).toBe(expected);
});
