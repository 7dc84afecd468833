import type { KeptAnswers } from './idempotency.repository.ts';
import { ANSWER_KEPT_MS } from './run-once.ts';

type Deps = {
  now(): number;
  /** Runs `body` in a transaction. */
  write(body: (repositories: { keptAnswers: KeptAnswers }) => Promise<number>): Promise<number>;
};

/** So many rows in one transaction: others wait while it runs. */
const AT_ONCE = 1000;

/** Removes answers that are kept no longer, in small batches. */
export const forgetAnswers =
  ({ now, write }: Deps) =>
  async (): Promise<void> => {
    const before = now() - ANSWER_KEPT_MS;
    const forgetSome = () => write(({ keptAnswers }) => keptAnswers.forget(before, AT_ONCE));
    while ((await forgetSome()) === AT_ONCE);
  };
