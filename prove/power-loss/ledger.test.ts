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
  test('is what was acknowledged, and of each caller the next request as a whole or not at all', () => {
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

  test('is nothing that was asked for after a request that was not acknowledged', () => {
    expect(
      after().compare(
        new Map([
          ['answers a', 'kept'],
          ['answers b', 'kept'],
        ]),
      ),
    ).toHaveLength(2);
  });

  test('has ids beyond all that anybody was told, of what is gone as well', () => {
    expect(after('req_1', 'req_2', 'req_3').highest()).toEqual({ pets: 7, orders: 4 });
  });

  test('cannot be told of answers that were given out of turn', () => {
    expect(() => after('req_2')).toThrow('out of its turn');
  });
});
