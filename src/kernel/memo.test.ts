import { expect, test } from 'bun:test';
import { once } from './memo.ts';

test('once makes nothing until somebody asks, and then the same for everybody', () => {
  let made = 0;
  const value = once(() => {
    made += 1;
    return { made };
  });
  expect(made).toBe(0);
  expect(value()).toBe(value());
  expect(made).toBe(1);
});

test('once keeps undefined too', () => {
  let made = 0;
  const value = once(() => {
    made += 1;
  });
  value();
  value();
  expect(made).toBe(1);
});
