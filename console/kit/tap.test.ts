import { expect, test } from 'bun:test';
import { noteClick, onOneTap } from './tap.ts';

const FIRST = { timeStamp: 1000, clientX: 50, clientY: 60 };

const click = (at: typeof FIRST, detail = 1): boolean => {
  let isDone = false;
  noteClick(at);
  onOneTap(() => {
    isDone = true;
  })({ detail });
  return isDone;
};

test.each([
  ['at the same place', { ...FIRST, timeStamp: 1100 }, false],
  ['a few pixels away', { timeStamp: 1499, clientX: 73, clientY: 37 }, false],
  ['half a second later', { ...FIRST, timeStamp: 1500 }, true],
  ['on the button next to it', { ...FIRST, timeStamp: 1100, clientX: 74 }, true],
  ['on the button below it', { ...FIRST, timeStamp: 1100, clientY: 84 }, true],
])('after a click, another click %s has an effect: %p', (_, second, expected) => {
  noteClick({ timeStamp: 0, clientX: 0, clientY: 0 });
  expect(click(FIRST)).toBe(true);
  expect(click(second)).toBe(expected);
});

test('a click elsewhere in between ends a double click', () => {
  click(FIRST);
  noteClick({ timeStamp: 1100, clientX: 400, clientY: 400 });
  expect(click({ ...FIRST, timeStamp: 1200 })).toBe(true);
});

test('the keyboard may repeat a click', () => {
  click(FIRST);
  expect(click({ ...FIRST, timeStamp: 1010 }, 0)).toBe(true);
});
