import { describe, expect, test } from 'bun:test';
import { answerPage, PAGE_PARAMETERS, spellTimePosition, timePosition } from './page.ts';

describe('a page', () => {
  const show = { body: (row: number) => ({ row }), position: String };
  const page = (limit: number) => ({ limit, order: 'asc' as const });

  test('shows as many rows as asked for, and where to go on when there are more', () => {
    expect(answerPage([1, 2, 3], page(2), show)).toEqual({ body: [{ row: 1 }, { row: 2 }], next: '2' });
  });

  test('leads nowhere when it is the last', () => {
    expect(answerPage([1, 2], page(2), show)).toEqual({ body: [{ row: 1 }, { row: 2 }] });
    expect(answerPage([], page(2), show)).toEqual({ body: [] });
  });
});

describe('the parameters of every list', () => {
  const { limit, order, cursor } = PAGE_PARAMETERS;

  test.each(['1', '9', '10', '99', '100'])('take a limit of %s', (text) => {
    expect(limit.parse(text)).toBe(Number(text));
  });

  test.each(['0', '101', '-1', '01', '1.0', '1e1', '+1', ' 1', '', '1\n', '१', '100 '])(
    'refuse a limit of %j',
    (text) => {
      expect(limit.safeParse(text).success).toBeFalse();
    },
  );

  test('are 20 rows by rising id from the start unless they are given', () => {
    expect([limit.parse(undefined), order.parse(undefined), cursor.parse(undefined)]).toEqual([20, 'asc', undefined]);
  });

  test.each(['ASC', 'descending', '', 'asc '])('refuse an order of "%s"', (text) => {
    expect(order.safeParse(text).success).toBeFalse();
  });
});

test('a position in time comes back as it was spelled, its id with it', () => {
  const position = { createdAt: 1_800_000_000_000, id: 'key_0a' };
  expect(spellTimePosition(position)).toBe('1800000000000.key_0a');
  expect(timePosition.parse('1800000000000.key_0a')).toEqual(position);
});

test.each(['', '1', '.a', '1.', 'a.b', '1.a.b', '1.a b', `1.${'a'.repeat(65)}`, `${'1'.repeat(17)}.a`])(
  'what is no position in time is refused: %j',
  (text) => {
    expect(timePosition.safeParse(text).success).toBeFalse();
  },
);
