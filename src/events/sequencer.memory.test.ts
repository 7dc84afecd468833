import { describe, expect, test } from 'bun:test';
import { createSequencerRuns } from './sequencer.memory.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const createRig = () => {
  const runs: { storeId: bigint; end: PromiseWithResolvers<void> }[] = [];
  const assigned: bigint[] = [];
  const failures: unknown[] = [];
  const committed = createSequencerRuns({
    assign: (storeId) => {
      const end = Promise.withResolvers<void>();
      runs.push({ storeId, end });
      return end.promise;
    },
    assigned: (storeId) => assigned.push(storeId),
    failed: (error) => failures.push(error),
  });
  return { committed, runs, assigned, failures };
};

describe('the sequencing after a commit', () => {
  test('is one for all commits that come while it runs, and is told when it is done', async () => {
    const { committed, runs, assigned } = createRig();
    for (let commits = 0; commits < 5; commits += 1) committed(1n);
    expect(runs).toHaveLength(1);
    expect(assigned).toEqual([]);
    runs[0]?.end.resolve();
    await turn();
    expect(assigned).toEqual([1n]);
    expect(runs).toHaveLength(2);
    runs[1]?.end.resolve();
    await turn();
    expect(assigned).toEqual([1n, 1n]);
    expect(runs).toHaveLength(2);
  });

  test('of one store does not wait for another', () => {
    const { committed, runs } = createRig();
    committed(1n);
    committed(2n);
    expect(runs.map(({ storeId }) => storeId)).toEqual([1n, 2n]);
  });

  test('that fails is told, and runs again for the next commit', async () => {
    const { committed, runs, assigned, failures } = createRig();
    committed(1n);
    runs[0]?.end.reject(new Error('away'));
    await turn();
    expect(failures).toHaveLength(1);
    expect(assigned).toEqual([]);
    committed(1n);
    expect(runs).toHaveLength(2);
  });
});
