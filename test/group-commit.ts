import type { createGroupCommit } from '../src/storage/sqlite/group-commit.ts';
import { createKeyIndex } from '../src/storage/sqlite/key-index.ts';

export type GroupCommitDeps = Parameters<typeof createGroupCommit>[0];

const nothing = () => undefined;

export const fakeGroupCommitDeps = (): GroupCommitDeps => ({
  writer: { one: nothing, all: () => [], run: nothing, inTransaction: () => true, isBusy: () => false },
  file: '',
  keyIndex: createKeyIndex(),
  health: {
    failure: undefined,
    fail: (cause) => {
      throw cause;
    },
  },
  snapshot: { hold: nothing, release: nothing, end: nothing },
  wal: { sync: async () => undefined, syncNow: nothing },
  checkpoints: { noteCommit: nothing, needsFinish: false, finish: async () => undefined },
});
