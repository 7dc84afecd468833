import { expect, test } from 'bun:test';
import { niceTop, placeLabels, stackLines, timeTicks } from './plot-scale.ts';

test('the top of an axis is a round number that is at least the highest value', () => {
  expect([0, 0.3, 1, 1.1, 3, 4.5, 7, 99, 101, 760].map(niceTop)).toEqual([1, 0.4, 1, 2, 4, 6, 10, 100, 200, 1000]);
});

test('time labels are at round local times, and never more than fit', () => {
  const noon = 1_763_380_800;
  expect(timeTicks(noon - 3600, noon, 4, 0)).toEqual([noon - 3600, noon - 2700, noon - 1800, noon - 900, noon]);
  const inIndia = timeTicks(noon - 86_400, noon, 4, -330);
  expect(inIndia.map((tick) => (tick + 330 * 60) % 21_600)).toEqual([0, 0, 0, 0]);
  expect(timeTicks(noon, noon, 4, 0)).toEqual([noon]);
});

test('labels stay inside the chart, and a label that would touch the one before it is left out', () => {
  const placed = (width: number, ...at: number[]) =>
    placeLabels(
      at.map((x) => ({ x, text: '10:15 AM' })),
      width,
    ).map(({ x, side }) => `${x} ${side}`.trim());
  expect(placed(300, 0, 100, 200, 300)).toEqual(['0 first', '100', '200', '300 last']);
  expect(placed(110, 20, 90)).toEqual(['20 first']);
  expect(placed(300, 150, 209)).toEqual(['150']);
  expect(placed(300, 150, 210)).toEqual(['150', '210']);
});

test('stacked values begin where the previous line ends, and a missing value takes up no space', () => {
  const lines = [
    { label: 'a', color: 'good' as const, values: [1, null] },
    { label: 'b', color: 'bad' as const, values: [2, 3] },
  ];
  expect(stackLines({ label: '', times: [1, 2], lines, isStacked: true })).toEqual([
    [
      { from: 0, to: 1 },
      { from: 0, to: null },
    ],
    [
      { from: 1, to: 3 },
      { from: 0, to: 3 },
    ],
  ]);
});
