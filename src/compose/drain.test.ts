import { expect, test } from 'bun:test';
import { createDrain } from './drain.ts';

test('all who listen hear that the service is about to stop, and those who have left do not', () => {
  const { isDraining, onStop, drain } = createDrain();
  const heard: string[] = [];
  onStop(() => heard.push('one'));
  const leave = onStop(() => heard.push('two'));
  onStop(() => heard.push('three'));
  leave();
  expect(isDraining()).toBe(false);
  drain();
  expect(isDraining()).toBe(true);
  expect(heard).toEqual(['one', 'three']);
});

test('whoever comes when the service is about to stop hears of it at once', () => {
  const { onStop, drain } = createDrain();
  drain();
  let heard = 0;
  const leave = onStop(() => {
    heard += 1;
  });
  leave();
  expect(heard).toBe(1);
});
