import { describe, expect, test } from 'bun:test';
import { createSyncs, LARGEST_GROUP } from './group-commit.ts';
import type { Group, Outcome } from './group-transaction.ts';

/** Syncs of a disk that takes as long as it is told to, by a clock that nothing else moves. */
const open = (writers = 3) => {
  let now = 1000;
  const told: unknown[] = [];
  const settled: Outcome[] = [];
  let outcome = (): void => undefined;
  const syncs = createSyncs({
    disk: {
      sync: async () => outcome(),
      syncNow: () => undefined,
      needsCheckpoint: () => false,
      finishCheckpoint: async () => undefined,
    },
    elapsed: () => now,
    queue: { pending: writers, wake: () => told.push('ended') },
    noteSync: (...noted) => told.push(noted),
  });
  const groupOf = (...values: string[]): Group => ({
    transactions: values.map(() => ({
      body: () => undefined,
      isLong: false,
      queuedAt: 0,
      settle: (each) => settled.push(each),
    })),
    outcomes: values.map((value) => ({ value })),
  });
  const sync = (group: Group, ms: number, error?: Error): Promise<void> => {
    outcome = () => {
      now += ms;
      if (error) throw error;
    };
    return syncs.start(group);
  };
  const pass = (ms: number): void => {
    now += ms;
  };
  return { syncs, told, settled, groupOf, sync, pass };
};

describe('a group that is synced', () => {
  test('is answered when that is asked for behind its sync, once', async () => {
    const { syncs, told, settled, groupOf, sync } = open();
    const group = groupOf('a', 'b');
    expect([syncs.syncing !== undefined, syncs.first()]).toEqual([false, undefined]);
    const synced = sync(group, 5);
    expect([syncs.syncing !== undefined, syncs.first()]).toEqual([true, group.transactions[0]]);
    syncs.answer();
    expect(settled).toEqual([]);
    await synced;
    expect([syncs.syncing !== undefined, syncs.first()]).toEqual([false, group.transactions[0]]);
    expect([settled, told]).toEqual([[], [[2, 5], 'ended']]);
    for (let times = 0; times < 2; times += 1) syncs.answer();
    expect(settled).toEqual([{ value: 'a' }, { value: 'b' }]);
    expect(syncs.first()).toBeUndefined();
  });

  test('is a failure for all of it when its sync fails, and is not counted', async () => {
    const { syncs, told, settled, groupOf, sync } = open();
    const error = new Error('EIO');
    await sync(groupOf('a', 'b'), 5, error);
    syncs.answer();
    expect([settled, told]).toEqual([[{ error }, { error }], ['ended']]);
  });
});

describe('whether it pays to wait for more', () => {
  const paysAfter = async (ms: number, writers: number, count: number, laterMs = 0) => {
    const { syncs, groupOf, sync, pass } = open(writers);
    await sync(groupOf('a'), ms);
    pass(laterMs);
    return syncs.shouldWait(count);
  };

  test('is no before anything was synced', () => {
    expect([0, 1].map(open().syncs.shouldWait)).toEqual([false, false]);
  });

  test('is yes until all who write are in the group, or it is full', async () => {
    expect([await paysAfter(100, 3, 2), await paysAfter(100, 3, 3)]).toEqual([true, false]);
    const full = [LARGEST_GROUP - 1, LARGEST_GROUP].map((count) => paysAfter(100, 300, count));
    expect(await Promise.all(full)).toEqual([true, false]);
    expect(LARGEST_GROUP).toBe(256);
  });

  test('is no where the processor needs as long for them all as the disk for a sync', async () => {
    expect([await paysAfter(1, 10, 1), await paysAfter(1.01, 10, 1)]).toEqual([false, true]);
  });

  test('is yes for no longer than half of a sync', async () => {
    expect([await paysAfter(100, 3, 1, 49), await paysAfter(100, 3, 1, 50)]).toEqual([true, false]);
  });

  test('goes by the shortest sync of late, which is forgotten little by little', async () => {
    const { syncs, groupOf, sync, pass } = open();
    for (const ms of [10, 1000]) await sync(groupOf('a'), ms);
    pass(5.1);
    expect(syncs.shouldWait(1)).toBe(true);
    pass(0.05);
    expect(syncs.shouldWait(1)).toBe(false);
  });
});
