import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../test/database.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import type { MaybePromise } from '../kernel/runtime.ts';
import type { IdempotencyRepository, KeptAnswer, KeptAnswers } from './idempotency.repository.ts';

let opened: TestDatabase;
beforeEach(() => {
  opened = openTestDatabase();
});
afterEach(() => opened.close());

const inStore = <Result>(
  body: (repositories: { idempotency: IdempotencyRepository; keptAnswers: KeptAnswers }) => MaybePromise<Result>,
  storeId = 1n,
) => opened.database.write({ ...SYSTEM_CALL, storeId }, body);

const answer = (body: string | null = '{}', print = 7): KeptAnswer => ({
  fingerprint: new Uint8Array([print, 0, 255]),
  body,
  version: 3n,
  location: '/pets/1',
});
const keep = (word: string, kept = answer(), storeId = 1n) =>
  inStore(({ idempotency }) => idempotency.keep('key_a', word, kept), storeId);
const find = (word: string, keyId = 'key_a', storeId = 1n) =>
  inStore(({ idempotency }) => idempotency.find(keyId, word), storeId);

describe('a stored answer', () => {
  test('is returned as stored, including missing parts', async () => {
    await keep('full');
    await keep('bare', { fingerprint: new Uint8Array([1]), body: null, version: null, location: null });
    expect(await find('full')).toEqual(answer());
    expect(await find('bare')).toEqual({ fingerprint: new Uint8Array([1]), body: null, version: null, location: null });
  });

  test('is found only by its exact store, API key and idempotency key', async () => {
    await keep('word');
    expect(await find('Word')).toBeUndefined();
    expect(await find('word', 'key_b')).toBeUndefined();
    expect(await find('word', 'key_a', 2n)).toBeUndefined();
    expect(await find('word')).toBeDefined();
  });

  test('is rolled back with the transaction that stored it', async () => {
    const undone = inStore(async ({ idempotency }) => {
      await idempotency.keep('key_a', 'word', answer());
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await find('word')).toBeUndefined();
  });
});

test('old answers of all stores are deleted in batches, oldest first', async () => {
  const forget = (most: number, before = opened.clock()) =>
    inStore(({ keptAnswers }) => keptAnswers.forget(before, most));
  for (const [index, word] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    await keep(word, answer(), index % 2 === 0 ? 1n : 2n);
    opened.clock.advance(1);
  }
  opened.clock.advance(-1);
  expect(await forget(2)).toBe(2);
  expect(await find('a')).toBeUndefined();
  expect(await find('b', 'key_a', 2n)).toBeUndefined();
  expect(await find('c')).toBeDefined();
  expect(await forget(9, opened.clock() - 1)).toBe(2);
  expect(await find('e')).toBeDefined();
  expect(await forget(9)).toBe(1);
  expect(await forget(9)).toBe(0);
});
