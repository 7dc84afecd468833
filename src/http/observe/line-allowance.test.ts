import { expect, test } from 'bun:test';
import { createLineAllowance } from './line-allowance.ts';

test('an allowance remembers at most 1,000 senders, however many there are', () => {
  const allowance = createLineAllowance(() => 0);
  let taken = 0;
  for (let sender = 0; sender < 50_000; sender += 1) if (allowance.take(`sender ${sender}`)) taken += 1;
  expect([allowance.senders(), taken]).toEqual([1000, 500]);
});

test('all senders together get 500 lines, then 100 a second', () => {
  let now = 0;
  const allowance = createLineAllowance(() => now);
  const count = () => Array.from({ length: 1000 }, (_, at) => allowance.take(`${now} ${at}`)).filter(Boolean).length;
  expect(count()).toBe(500);
  now += 1000;
  expect(count()).toBe(100);
});

test('an allowance refills with time, to no more than the burst', () => {
  let now = 0;
  const allowance = createLineAllowance(() => now);
  const count = () => Array.from({ length: 100 }, () => allowance.take('a')).filter(Boolean).length;
  expect(count()).toBe(50);
  now += 2000;
  expect(count()).toBe(20);
  now += 3_600_000;
  expect(count()).toBe(50);
});
