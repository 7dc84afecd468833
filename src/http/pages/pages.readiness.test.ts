import { describe, expect, test } from 'bun:test';
import { createReadiness } from './pages.ts';

const ADMIN = { id: 'key_admin' };

const start = () => {
  const reads: PromiseWithResolvers<unknown>[] = [];
  const state = { canServe: true, waitedMs: 0 };
  const isReady = createReadiness({
    canServe: () => state.canServe,
    waitedMs: () => state.waitedMs,
    findAdmin: () => {
      const read = Promise.withResolvers<unknown>();
      reads.push(read);
      return read.promise;
    },
  });
  return { reads, state, isReady };
};

describe('readiness', () => {
  test('reads the database once for concurrent checks, and again for a later one', async () => {
    const { reads, isReady } = start();
    const asked = Array.from({ length: 100 }, isReady);
    expect(reads).toHaveLength(1);
    reads[0]?.resolve(ADMIN);
    expect(new Set(await Promise.all(asked))).toEqual(new Set([true]));

    const later = isReady();
    expect(reads).toHaveLength(2);
    reads[1]?.resolve(undefined);
    expect(await later).toBeFalse();
  });

  test('reads again after a failed read', async () => {
    const { reads, isReady } = start();
    const asked = [isReady(), isReady()];
    reads[0]?.reject(new Error('away'));
    for (const one of await Promise.allSettled(asked)) expect(one.status).toBe('rejected');
    const later = isReady();
    reads[1]?.resolve(ADMIN);
    expect(await later).toBeTrue();
  });

  test('fails immediately if the service is about to stop, even while other checks wait', async () => {
    const { reads, state, isReady } = start();
    const before = isReady();
    state.canServe = false;
    expect(await isReady()).toBeFalse();
    reads[0]?.resolve(ADMIN);
    expect(await before).toBeTrue();
  });

  test('fails while a write has waited for five seconds, even if reads work, and recovers afterwards', async () => {
    const { reads, state, isReady } = start();
    state.waitedMs = 5000;
    expect(await isReady()).toBeFalse();
    expect(reads).toBeEmpty();
    state.waitedMs = 4999;
    const later = isReady();
    reads[0]?.resolve(ADMIN);
    expect(await later).toBeTrue();
  });
});
