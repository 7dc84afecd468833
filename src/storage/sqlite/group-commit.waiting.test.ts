import { expect, test } from 'bun:test';
import { fakeGroupCommitDeps } from '../../../test/group-commit.ts';
import { createGroupCommit } from './group-commit.ts';

const nothing = () => undefined;
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('the wait is that of the oldest transaction, whether queued, running or syncing', async () => {
  let now = 1000;
  const body = Promise.withResolvers<void>();
  const synced = Promise.withResolvers<void>();
  const groups = createGroupCommit(
    {
      ...fakeGroupCommitDeps(),
      wal: { sync: () => synced.promise, syncNow: nothing },
    },
    () => now,
  );
  expect(groups.waitedMs()).toBe(0);
  const first = groups.run(() => body.promise);
  now += 5;
  expect(groups.waitedMs()).toBe(5);
  await turns(3);
  const second = groups.run(nothing);
  now += 5;
  expect(groups.waitedMs()).toBe(10);
  body.resolve();
  await turns(3);
  now += 5;
  expect([groups.waitedMs(), groups.backlog.pending]).toEqual([15, 2]);
  synced.resolve();
  await turns(3);
  now += 5;
  await Promise.all([first, second]);
  expect([groups.waitedMs(), groups.backlog.pending]).toEqual([0, 0]);
});

test('the wait is that of a long transaction if no short one is queued', async () => {
  let now = 1000;
  const groups = createGroupCommit(fakeGroupCommitDeps(), () => now);
  const writing = groups.run(nothing, true);
  now += 5;
  expect(groups.waitedMs()).toBe(5);
  await writing;
});
