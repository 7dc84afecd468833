import { expect, test } from 'bun:test';
import { fakeGroupCommitDeps, type GroupCommitDeps } from '../../../test/group-commit.ts';
import { createGroupCommit } from './group-commit.ts';

test('if a group cannot begin, all queued transactions, long or short, fail after one attempt', async () => {
  const fakes = fakeGroupCommitDeps();
  const statements: string[] = [];
  const run = (text: string) => {
    statements.push(text);
    throw new Error('the file is held');
  };
  const groups = createGroupCommit({ ...fakes, writer: { ...fakes.writer, run, inTransaction: () => false } });
  const writing = Array.from({ length: 300 }, (_, index) => groups.run(() => index, index % 100 === 0));
  const results = await Promise.allSettled(writing);
  expect(results.map(({ status }) => status)).toEqual(Array(300).fill('rejected'));
  expect([statements, groups.backlog.pending]).toEqual([['BEGIN IMMEDIATE'], 0]);
});

test('queued transactions fail if a checkpoint cannot finish, and later ones run', async () => {
  let error: Error | undefined = new Error('the disk is gone');
  const checkpoints: GroupCommitDeps['checkpoints'] = {
    noteCommit: () => undefined,
    needsFinish: true,
    finish: async () => {
      if (error) throw error;
      checkpoints.needsFinish = false;
    },
  };
  const groups = createGroupCommit({ ...fakeGroupCommitDeps(), checkpoints });
  await expect(groups.run(() => 'a')).rejects.toThrow('the disk is gone');
  error = undefined;
  expect(await groups.run(() => 'b')).toBe('b');
});

test('every transaction is answered even if the connection is lost, and so are later ones', async () => {
  const gone = () => {
    throw new Error('the connection is gone');
  };
  const fakes = fakeGroupCommitDeps();
  const groups = createGroupCommit({ ...fakes, writer: { ...fakes.writer, run: gone, inTransaction: gone } });
  await expect(groups.run(() => 'a')).rejects.toThrow('the connection is gone');
  await expect(groups.run(() => 'b')).rejects.toThrow('the connection is gone');
  await groups.idle();
});
