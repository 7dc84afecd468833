import { afterEach, beforeEach, expect, test } from 'bun:test';
import { openTestDatabase, readRows, type TestDatabase } from '../../test/database.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import { forgetAnswers } from './forget-answers.ts';

const DAY_MS = 86_400_000;

let opened: TestDatabase;
beforeEach(() => {
  opened = openTestDatabase();
});
afterEach(() => opened.close());

const keep = (words: readonly string[], storeId = 1n) =>
  opened.database.write({ ...SYSTEM_CALL, storeId }, async ({ idempotency }) => {
    for (const word of words) {
      const answer = { fingerprint: new Uint8Array([1]), body: '{}', version: null, location: null };
      await idempotency.keep('key_a', word, answer);
    }
  });

/** Removes what is old, and says how many each transaction has removed. */
const forget = async (): Promise<number[]> => {
  const counts: number[] = [];
  await forgetAnswers({
    now: opened.clock,
    write: async (body) => {
      const count = await opened.database.write(SYSTEM_CALL, body);
      counts.push(count);
      return count;
    },
  })();
  return counts;
};

test('answers that are a day old are all removed in one run, in every store, a thousand at a time', async () => {
  await keep(Array.from({ length: 1500 }, (_, index) => `old-${index}`));
  await keep(
    Array.from({ length: 700 }, (_, index) => `old-${index}`),
    2n,
  );
  opened.clock.advance(1);
  await keep(['young']);
  opened.clock.advance(DAY_MS - 1);
  expect(await forget()).toEqual([1000, 1000, 200]);
  expect(await readRows(opened.path, 'SELECT idempotency_key AS word FROM idempotency')).toEqual([{ word: 'young' }]);
});

test('where nothing is old nothing is removed', async () => {
  await keep(['young']);
  expect(await forget()).toEqual([0]);
});
