import { expect, test } from 'bun:test';
import { once } from './runtime.ts';

test('once creates the value on first use and returns the same value to every caller', () => {
  let made = 0;
  const value = once(() => {
    made += 1;
    return { made };
  });
  expect(made).toBe(0);
  expect(value()).toBe(value());
  expect(made).toBe(1);
});

test('once also keeps undefined', () => {
  let made = 0;
  const value = once(() => {
    made += 1;
  });
  value();
  value();
  expect(made).toBe(1);
});
