import { expect, test } from 'bun:test';
import { once, rememberLast } from './memo.ts';

test('what is asked for again and again is computed once, and anew for something else', () => {
  const asked: string[] = [];
  const shout = rememberLast((word: string) => {
    asked.push(word);
    return word.toUpperCase();
  });
  expect(['', '', 'rex', 'rex', '', 'rex'].map(shout)).toEqual(['', '', 'REX', 'REX', '', 'REX']);
  expect(asked).toEqual(['', 'rex', '', 'rex']);
});

test('what counts as the same can be told', () => {
  const sum = rememberLast(
    (numbers: number[]) => numbers.reduce((one, other) => one + other, 0),
    (one, other) => one.length === other.length,
  );
  expect([sum([1, 2]), sum([3, 4]), sum([5])]).toEqual([3, 3, 5]);
});

test('a result that cannot be computed leaves the one before', () => {
  const parse = rememberLast((text: string) => JSON.parse(text));
  const known = parse('[1]');
  expect(() => parse('[')).toThrow();
  expect(parse('[1]')).toBe(known);
});

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
