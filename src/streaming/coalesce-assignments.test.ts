import { describe, expect, test } from 'bun:test';
import { coalesceAssignments } from './coalesce-assignments.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const createRig = () => {
  const runs: { storeId: bigint; end: PromiseWithResolvers<boolean> }[] = [];
  const assigned: bigint[] = [];
  const failures: unknown[] = [];
  const { assign } = coalesceAssignments({
    assignSome: async (storeId) => {
      const end = Promise.withResolvers<boolean>();
      runs.push({ storeId, end });
      return { hasMore: await end.promise, hasDeliveries: true };
    },
    assigned: (storeId, hasDeliveries) => assigned.push(hasDeliveries ? storeId : 0n),
    failed: (error) => failures.push(error),
  });
  const seen: string[] = [];
  const ask = (name: string, storeId = 1n) =>
    assign(storeId).then(
      () => seen.push(name),
      () => seen.push(`${name} failed`),
    );
  return { ask, seen, runs, assigned, failures };
};

describe('sequence assignment after a commit', () => {
  test('runs once for all callers that arrive during a run, and reports when it ends', async () => {
    const { ask, seen, runs, assigned } = createRig();
    for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name);
    expect(runs).toHaveLength(1);
    expect(assigned).toEqual([]);
    runs[0]?.end.resolve(false);
    await turn();
    expect(assigned).toEqual([1n]);
    // The later callers wait for a second run, because the first run may have missed their events.
    expect(seen).toEqual(['a']);
    expect(runs).toHaveLength(2);
    void ask('f');
    runs[1]?.end.resolve(false);
    await turn();
    expect(assigned).toEqual([1n, 1n]);
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
    runs[2]?.end.resolve(false);
    await turn();
    expect(seen.at(-1)).toBe('f');
    expect(runs).toHaveLength(3);
    void ask('g');
    expect(runs).toHaveLength(4);
  });

  test('continues while there are more events', async () => {
    const { ask, seen, runs, assigned } = createRig();
    void ask('a');
    runs[0]?.end.resolve(true);
    await turn();
    expect([runs.length, assigned, seen]).toEqual([2, [], []]);
    runs[1]?.end.resolve(false);
    await turn();
    expect([runs.length, assigned, seen]).toEqual([2, [1n], ['a']]);
  });

  test('of one store does not wait for another', () => {
    const { ask, runs } = createRig();
    void ask('a', 1n);
    void ask('b', 2n);
    expect(runs.map(({ storeId }) => storeId)).toEqual([1n, 2n]);
  });

  test('that fails is reported once to all waiting callers, and runs again after the next commit', async () => {
    const { ask, seen, runs, assigned, failures } = createRig();
    for (const name of ['a', 'b', 'c']) void ask(name);
    runs[0]?.end.reject(new Error('away'));
    await turn();
    expect(failures).toHaveLength(1);
    expect(assigned).toEqual([]);
    expect(seen.sort()).toEqual(['a failed', 'b failed', 'c failed']);
    expect(runs).toHaveLength(1);
    void ask('d');
    expect(runs).toHaveLength(2);
  });
});
