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

  test('happens after the first sync, even on a fast disk', async () => {
    expect(await paysAfter(0.1, 3, 1)).toBe(true);
  });

  test('lasts until all writers are in the group, or the group is full', async () => {
    expect([await paysAfter(100, 3, 2), await paysAfter(100, 3, 3)]).toEqual([true, false]);
    const full = [LARGEST_GROUP - 1, LARGEST_GROUP].map((count) => paysAfter(100, 300, count));
    expect(await Promise.all(full)).toEqual([true, false]);
    expect(LARGEST_GROUP).toBe(256);
  });

  /** Three of five writers are synced in 100 ms. Each call to `wait` then lets `ms` pass and syncs `count` writers. */
  const waitFor = async (count: number, ms: number) => {
    const opened = open(5);
    const { groups, groupOf, syncIn, pass } = opened;
    await syncIn(groupOf('a', 'b', 'c'), 100);
    const wait = async () => {
      pass(ms);
      groups.hasWaited = true;
      groups.answered = 3;
      await syncIn(groupOf(...Array.from({ length: count }, () => 'd')), 100);
      return groups.returnMs;
    };
    return { ...opened, wait, estimate: await wait() };
  };

  test.each([
    [5, 30, 30],
    [4, 30, 45],
    [3, 30, 75],
    [2, 30, 75],
    [1, 30, 75],
    [5, 80, 75],
  ])('with %i of 5 writers after %i ms gives an estimate of %i ms until all return', async (count, ms, estimate) => {
    expect((await waitFor(count, ms)).estimate).toBeCloseTo(estimate, 9);
  });

  test('does not happen for a while if the writers return too late twice', async () => {
    const { groups, groupOf, syncIn, wait } = await waitFor(2, 50);
    expect(shouldWait(groups, 1)).toBe(true);
    expect(await wait()).toBe(112.5);
    let skipped = 0;
    for (; !shouldWait(groups, 1); skipped += 1) await syncIn(groupOf('e'), 100);
    expect(skipped).toBe(6);
    expect(groups.returnMs).toBeCloseTo(112.5 * 0.98 ** 6, 9);
    groups.returnMs = groups.syncMs;
    expect(shouldWait(groups, 1)).toBe(false);
  });

  test('lasts at most half a sync', async () => {
    expect([await paysAfter(100, 3, 1, 49), await paysAfter(100, 3, 1, 50)]).toEqual([true, false]);
  });

  test('is based on the shortest recent sync, whose effect fades gradually', async () => {
    const { groups, groupOf, syncIn, pass } = open();
    for (const ms of [10, 1000]) await syncIn(groupOf('a'), ms);
    pass(5.1);
    expect(shouldWait(groups, 1)).toBe(true);
    pass(0.05);
    expect(shouldWait(groups, 1)).toBe(false);
  });
});
