import { describe, expect, test } from 'bun:test';
import { fakeGroupCommitDeps } from '../../../test/group-commit.ts';
import { LARGEST_GROUP, newCommitState, settleEnded, shouldWait, sync } from './group-commit.ts';
import type { Group } from './group-transaction.ts';

const open = (writers = 3) => {
  let now = 1000;
  const seen: unknown[] = [];
  const settled: unknown[] = [];
  let outcome = (): void => undefined;
  const fake = fakeGroupCommitDeps();
  const deps = {
    ...fake,
    checkpoints: { ...fake.checkpoints, noteCommit: () => void seen.push('noted') },
    wal: { sync: async () => outcome(), syncNow: () => undefined },
    metrics: {
      transactions: { observe: (count: number) => seen.push(count) },
      seconds: { observe: (seconds: number) => seen.push(seconds) },
    },
  };
  const groups = newCommitState(deps, () => now);
  groups.pending = writers;
  groups.wake = () => seen.push('ended');
  const groupOf = (...values: string[]): Group => ({
    transactions: values.map((value) => ({
      body: () => undefined,
      isLong: false,
      queuedAt: 0,
      outcome: { value },
      resolve: (one) => settled.push(one),
      reject: (error) => settled.push({ error }),
    })),
    isLong: false,
    ran: values.length,
    succeeded: values.length,
  });
  const syncIn = (group: Group, ms: number, error?: Error): Promise<void> => {
    outcome = () => {
      now += ms;
      if (error) throw error;
    };
    return sync(groups, group);
  };
  const pass = (ms: number): void => {
    now += ms;
  };
  return { groups, seen, settled, groupOf, syncIn, pass };
};

describe('a synced group', () => {
  test('is answered after its sync, once', async () => {
    const { groups, seen, settled, groupOf, syncIn } = open();
    const group = groupOf('a', 'b');
    const synced = syncIn(group, 5);
    expect([groups.syncing, groups.ended]).toEqual([group, []]);
    settleEnded(groups);
    expect(settled).toEqual([]);
    await synced;
    expect([groups.syncing, groups.ended]).toEqual([undefined, [group]]);
    expect([settled, seen]).toEqual([[], ['noted', 2, 0.005, 'ended']]);
    for (let times = 0; times < 2; times += 1) settleEnded(groups);
    expect(settled).toEqual(['a', 'b']);
    expect([groups.ended, groups.pending, groups.commits]).toEqual([[], 1, 1]);
  });

  test('fails as a whole when its sync fails, and is not counted', async () => {
    const { groups, seen, settled, groupOf, syncIn } = open();
    const error = new Error('EIO');
    await syncIn(groupOf('a', 'b'), 5, error);
    settleEnded(groups);
    expect([settled, seen, groups.commits]).toEqual([[{ error }, { error }], ['noted', 'ended'], 0]);
  });
});

describe('waiting for more writers', () => {
  const paysAfter = async (ms: number, writers: number, count: number, laterMs = 0) => {
    const { groups, groupOf, syncIn, pass } = open(writers);
    await syncIn(groupOf('a'), ms);
    pass(laterMs);
    return shouldWait(groups, count);
  };

  test('does not happen before the first sync', () => {
    expect([0, 1].map((count) => shouldWait(open().groups, count))).toEqual([false, false]);
  });

  test('lasts until all writers are in the group, or it is full', async () => {
    expect([await paysAfter(100, 3, 2), await paysAfter(100, 3, 3)]).toEqual([true, false]);
    const full = [LARGEST_GROUP - 1, LARGEST_GROUP].map((count) => paysAfter(100, 300, count));
    expect(await Promise.all(full)).toEqual([true, false]);
    expect(LARGEST_GROUP).toBe(256);
  });

  test('does not happen if the writers need as much processor time as a sync takes', async () => {
    expect([await paysAfter(1, 10, 1), await paysAfter(1.01, 10, 1)]).toEqual([false, true]);
  });

  test('lasts at most half a sync', async () => {
    expect([await paysAfter(100, 3, 1, 49), await paysAfter(100, 3, 1, 50)]).toEqual([true, false]);
  });

  test('uses the shortest recent sync, which fades gradually', async () => {
    const { groups, groupOf, syncIn, pass } = open();
    for (const ms of [10, 1000]) await syncIn(groupOf('a'), ms);
    pass(5.1);
    expect(shouldWait(groups, 1)).toBe(true);
    pass(0.05);
    expect(shouldWait(groups, 1)).toBe(false);
  });
});
