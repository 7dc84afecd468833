import { describe, expect, test } from 'bun:test';
import { toOneStatement } from './one-statement.ts';

const PET = 'INSERT INTO pets (store_id, id) VALUES ($1, $2)';
const EVENT = 'INSERT INTO events (store_id, type) VALUES ($1, $2)';
const COUNT = 'INSERT INTO inventory (slot, count) VALUES ($1, $2) ON CONFLICT (slot) DO UPDATE SET count = 1';
const MOVE = 'UPDATE pets SET status = $3 WHERE store_id = $1 AND id = $2';

describe('statements', () => {
  test('for different tables are combined into one, with their values in order', () => {
    expect(
      toOneStatement([
        { text: PET, values: [1, 2] },
        { text: EVENT, values: [1, 'a'] },
      ]),
    ).toEqual({
      text: 'WITH part1 AS (INSERT INTO events (store_id, type) VALUES ($3, $4)) INSERT INTO pets (store_id, id) VALUES ($1, $2)',
      values: [1, 2, 1, 'a'],
    });
  });

  test('that insert rows into the same table keep the order of the rows', () => {
    expect(
      toOneStatement([
        { text: EVENT, values: [1, 'a'] },
        { text: MOVE, values: [1, 2, 'sold'] },
        { text: EVENT, values: [1, 'b'] },
      ]),
    ).toEqual({
      text: 'WITH part1 AS (UPDATE pets SET status = $7 WHERE store_id = $5 AND id = $6) INSERT INTO events (store_id, type) VALUES ($1, $2), ($3, $4)',
      values: [1, 'a', 1, 'b', 1, 2, 'sold'],
    });
  });

  test('for different counters are combined into one, because their keys differ', () => {
    const statements = [1, 2].map((slot) => ({ text: COUNT, values: [slot, 5], isCounter: true }));
    expect(toOneStatement(statements)).toEqual({
      text: 'INSERT INTO inventory (slot, count) VALUES ($1, $2), ($3, $4) ON CONFLICT (slot) DO UPDATE SET count = 1',
      values: [1, 5, 2, 5],
    });
  });

  test('stay unchanged if there is only one', () => {
    expect(toOneStatement([{ text: MOVE, values: [1, 2, 'sold'] }])).toEqual({ text: MOVE, values: [1, 2, 'sold'] });
  });

  test.each([
    ['two different inserts into a table', [EVENT, 'INSERT INTO events (id) VALUES ($1)']],
    ['two rows that may have the same key', [COUNT, COUNT]],
    ['two updates of a table', [MOVE, 'UPDATE pets SET name = $1']],
    ['the same update twice', [MOVE, MOVE]],
    ['an insert and an update of a table', [PET, MOVE]],
    ['a statement that reads', [PET, 'INSERT INTO webhooks (id) SELECT $1 FROM stores']],
    ['a statement with a result', [PET, 'DELETE FROM events RETURNING id']],
    ['a statement of another form', [PET, 'SELECT number_events($1)']],
    ['a change of a key', [EVENT, 'UPDATE keys SET changed = $1']],
    ['none', []],
    ['more than eight', Array.from({ length: 9 }, (_, index) => `UPDATE t${index} SET a = $1`)],
  ])('are not combined: %s', (_, texts) => {
    expect(toOneStatement(texts.map((text) => ({ text, values: [1] })))).toBeUndefined();
  });
});
