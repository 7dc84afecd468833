import { describe, expect, test } from 'bun:test';
import { answerPage, formatTimePosition, PAGE_PARAMETERS, timePosition } from './page.ts';

describe('a page', () => {
  const show = { body: (row: number) => ({ row }), position: String };
  const page = (limit: number) => ({ limit, order: 'asc' as const });

  test('shows the requested number of rows, and where the next page starts if there are more', () => {
    expect(answerPage([1, 2, 3], page(2), show)).toEqual({ body: [{ row: 1 }, { row: 2 }], next: '2' });
  });

  test('has no next page if it is the last', () => {
    expect(answerPage([1, 2], page(2), show)).toEqual({ body: [{ row: 1 }, { row: 2 }] });
    expect(answerPage([], page(2), show)).toEqual({ body: [] });
  });
});

describe('the parameters of every list', () => {
  const { limit, order, cursor } = PAGE_PARAMETERS;

  test.each(['1', '9', '10', '99', '100'])('accept a limit of %s', (text) => {
    expect(limit.parse(text)).toBe(Number(text));
  });

  test.each(['0', '101', '-1', '01', '1.0', '1e1', '+1', ' 1', '', '1\n', '१', '100 '])(
    'refuse a limit of %j',
    (text) => {
      expect(limit.safeParse(text).success).toBeFalse();
    },
  );

  test('default to 20 ascending rows from the start', () => {
    expect([limit.parse(undefined), order.parse(undefined), cursor.parse(undefined)]).toEqual([20, 'asc', undefined]);
  });

  test.each(['ASC', 'descending', '', 'asc '])('refuse an order of "%s"', (text) => {
    expect(order.safeParse(text).success).toBeFalse();
  });
});

test('a time position is parsed as it was written, with its id', () => {
  const position = { createdAt: 1_800_000_000_000, id: 'key_0a' };
  expect(formatTimePosition(position)).toBe('1800000000000.key_0a');
  expect(timePosition.parse('1800000000000.key_0a')).toEqual(position);
});

test.each(['', '1', '.a', '1.', 'a.b', '1.a.b', '1.a b', `1.${'a'.repeat(65)}`, `${'1'.repeat(17)}.a`])(
  'an invalid time position is refused: %j',
  (text) => {
    expect(timePosition.safeParse(text).success).toBeFalse();
  },
);
