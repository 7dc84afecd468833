import { Failure } from '../../kernel/failure.ts';
import { type Call, SYSTEM_CALL } from '../../kernel/operation.ts';
import type { ResetReads } from '../stores/stores.repository.ts';
import { type ResetRepositories, resetSome } from './reset-some.ts';

type Deps = {
  now(): number;
  resets: ResetReads;
  /** Runs `body` in a transaction. */
  write(call: Call, body: (repositories: ResetRepositories) => Promise<void>): Promise<void>;
  isStopped(): boolean;
  /** The time in milliseconds, by a clock that is never set back. */
  elapsed(): number;
  pause(ms: number): Promise<void>;
};

/** A reset about which nothing was done for so long was left by a process that is gone. */
const LEFT_MS = 5000;
const FOUND_AT_ONCE = 10;
/** So many times as long as a transaction took nothing is done: a process that never rests is kept waiting by the machine. */
const RESTS = 3;

/** How resets come to their end, in many small transactions with room for others in between. */
export const createResets = ({ now, resets, write, isStopped, elapsed, pause }: Deps) => {
  const underWay = new Map<bigint, Promise<void>>();

  const run = async (storeId: bigint): Promise<void> => {
    for (;;) {
      const reset = await resets.find(storeId);
      if (!reset) return;
      if (isStopped()) {
        throw new Failure('unavailable', 'The service is about to stop. The reset goes on when it is started again.', {
          retryAfterSeconds: 1,
        });
      }
      const startedAt = elapsed();
      await write({ ...SYSTEM_CALL, ...reset }, (repositories) => resetSome(repositories, reset));
      await pause(RESTS * (elapsed() - startedAt));
    }
  };

  /** Resolves when no reset of the store is under way. Whoever asks meanwhile comes behind, for one may have begun since. */
  const finish = async (storeId: bigint): Promise<void> => {
    const before = underWay.get(storeId) ?? Promise.resolve();
    const ended = before.catch(() => undefined).then(() => run(storeId));
    underWay.set(storeId, ended);
    try {
      await ended;
    } finally {
      if (underWay.get(storeId) === ended) underWay.delete(storeId);
    }
  };

  return {
    finish,
    /** Finishes what others have left. */
    async finishLeft(): Promise<void> {
      const left = await resets.listLeft(now() - LEFT_MS, FOUND_AT_ONCE);
      for (const { storeId } of left) if (!isStopped()) await finish(storeId);
    },
  };
};

export type Resets = ReturnType<typeof createResets>;
