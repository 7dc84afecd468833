import { describe, expect, test } from 'bun:test';
import { QueryClient } from '@tanstack/react-query';
import { COUNTS, type Counts, keepCounted, moveOne } from './counts.ts';
import { keepShown } from './when-read.ts';

const KEY = ['pets', 'one', '1'];
const showSold = (queries: QueryClient) => () => {
  queries.setQueryData<string>(KEY, (status) => (status === 'pending' ? 'sold' : status));
};
const read = (queries: QueryClient, queryKey: readonly unknown[], data: unknown) =>
  queries.fetchQuery({ queryKey, queryFn: () => data, staleTime: 0 });

describe('a change that the service does not know yet', () => {
  test('is shown immediately, and again after each read and each update of the cache', async () => {
    const queries = new QueryClient();
    queries.setQueryData(KEY, 'pending');
    keepShown(queries, showSold(queries));
    expect(queries.getQueryData<string>(KEY)).toBe('sold');
    await read(queries, KEY, 'pending');
    expect(queries.getQueryData<string>(KEY)).toBe('sold');
    queries.setQueryData(KEY, 'pending');
    expect(queries.getQueryData<string>(KEY)).toBe('sold');
  });

  test('is no longer shown after it ends', async () => {
    const queries = new QueryClient();
    const stop = keepShown(queries, showSold(queries));
    stop();
    await read(queries, KEY, 'pending');
    expect(queries.getQueryData<string>(KEY)).toBe('pending');
  });

  test('does not stop another change from being shown if it fails', () => {
    const queries = new QueryClient();
    const fail = () => {
      throw new Error('no');
    };
    expect(() => keepShown(queries, fail)).toThrow('no');
    keepShown(queries, showSold(queries));
    queries.setQueryData(KEY, 'pending');
    expect(queries.getQueryData<string>(KEY)).toBe('sold');
  });

  test('is counted once per read, and no longer after it is reverted', async () => {
    const queries = new QueryClient();
    const served = { available: 3, pending: 2, sold: 1 };
    const counts = () => queries.getQueryData<Counts>(COUNTS);
    await read(queries, COUNTS, served);
    const count = keepCounted(queries, moveOne('pending', 'sold'));
    expect(counts()).toEqual({ available: 3, pending: 1, sold: 2 });
    await read(queries, COUNTS, served);
    await read(queries, ['pets'], []);
    expect(counts()).toEqual({ available: 3, pending: 1, sold: 2 });
    count.stop();
    count.revert();
    expect(counts()).toEqual(served);
    await read(queries, COUNTS, served);
    expect(counts()).toEqual(served);
  });

  test('waits for the counts if they are not loaded yet', async () => {
    const queries = new QueryClient();
    keepCounted(queries, { available: -1 });
    expect(queries.getQueryData<Counts>(COUNTS)).toBeUndefined();
    await read(queries, COUNTS, { available: 3, pending: 0, sold: 0 });
    expect(queries.getQueryData<Counts>(COUNTS)?.available).toBe(2);
  });
});
