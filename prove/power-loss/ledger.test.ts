import { describe, expect, test } from 'bun:test';
import { createLedger } from './ledger.ts';

const DONE = [
  { caller: 1, requestId: 'req_1', changes: { 'pets 7': 'Rex', 'answers a': 'kept' } },
  { caller: 1, requestId: 'req_2', changes: { 'pets 7': null, 'answers b': 'kept' } },
  { caller: 2, requestId: 'req_3', changes: { 'orders 4': 'placed' } },
];

const after = (...requests: string[]) => {
  const ledger = createLedger(DONE);
  for (const each of requests) ledger.acknowledge(each);
  return ledger;
};

describe('what must be stored', () => {
  test('is every acknowledged request, and each caller’s next request completely or not at all', () => {
    const ledger = after('req_1');
    const rex = [
      ['pets 7', 'Rex'],
      ['answers a', 'kept'],
    ] as const;
    expect(ledger.compare(new Map(rex))).toEqual([]);
    expect(
      ledger.compare(
        new Map([
          ['answers a', 'kept'],
          ['answers b', 'kept'],
        ]),
      ),
    ).toEqual([]);
    expect(ledger.compare(new Map([...rex, ['orders 4', 'placed']]))).toEqual([]);
    expect(ledger.compare(new Map([...rex, ['answers b', 'kept']]))).toEqual([
      'answers b is kept, and should be not there',
    ]);
    expect(ledger.compare(new Map())).toHaveLength(2);
  });

  test('excludes requests sent after one that was not acknowledged', () => {
    expect(
      after().compare(
        new Map([
          ['answers a', 'kept'],
          ['answers b', 'kept'],
        ]),
      ),
    ).toHaveLength(2);
  });

  test('has ids above all acknowledged ones, including those of deleted rows', () => {
    expect(after('req_1', 'req_2', 'req_3').highest()).toEqual({ pets: 7, orders: 4 });
  });

  test('cannot be known if responses came out of order', () => {
    expect(() => after('req_2')).toThrow('out of order');
  });
});
