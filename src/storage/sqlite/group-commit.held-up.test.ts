import { beforeEach, describe, expect, test } from 'bun:test';
import { fakeGroupCommitDeps } from '../../../test/group-commit.ts';
import { createGroupCommit } from './group-commit.ts';

let groups: ReturnType<typeof createGroupCommit>;
let seen: string[];
beforeEach(() => {
  seen = [];
  let end: (() => void) | undefined;
  const fakes = fakeGroupCommitDeps();
  const parts = {
    ...fakes,
    writer: { ...fakes.writer, run: (text: string) => void (text === 'COMMIT' && seen.push('commit')) },
    wal: {
      sync: () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
      syncNow: () => {
        if (end) seen.push('sync');
        end?.();
        end = undefined;
      },
    },
  };
  // This clock always shows 0, so a sync seems to take no time, and group commit never waits for more writers.
  groups = createGroupCommit(parts, () => 0);
});

const runMicrotasks = async () => {
  for (let at = 0; at < 500; at += 1) await undefined;
};
const forceProgress = async (steps = 1) => {
  for (let step = 0; step < steps; step += 1) {
    groups.forceProgress();
    await runMicrotasks();
  }
};
const write = (value: string) => groups.run(() => value).then(() => seen.push(value));

describe('group commit in a blocked event loop', () => {
  test('advances one step per forceProgress: a commit, its sync, the next commit', async () => {
    void write('a');
    await runMicrotasks();
    expect(seen).toEqual([]);
    await forceProgress();
    expect(seen).toEqual(['commit']);
    void write('b');
    void write('c');
    await runMicrotasks();
    await forceProgress();
    expect(seen.slice(1)).toEqual(['sync', 'a', 'commit']);
    await forceProgress();
    expect(seen.slice(4)).toEqual(['sync', 'b', 'c']);
    await groups.idle();
  });

  test('answers only after a sync that began after the commit', async () => {
    for (const value of ['a', 'b', 'c']) void write(value);
    await forceProgress(20);
    expect(seen).toEqual(['commit', 'sync', 'a', 'b', 'c']);
  });

  test('commits at most once per step even if each answer causes another write', async () => {
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await write('again');
    })();
    await forceProgress(10);
    expect(seen.filter((what) => what === 'commit').length).toBeLessThanOrEqual(10);
    isOver = true;
    await forceProgress(5);
    await writing;
  });

  test('does nothing without writes', async () => {
    await forceProgress();
    expect(seen).toEqual([]);
  });
});
