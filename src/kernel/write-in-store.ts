import type { MaybePromise } from './maybe-promise.ts';

/** Runs `body` in a transaction of that store, on behalf of the service itself. */
export type WriteInStore<Repositories> = <Result>(
  storeId: bigint,
  body: (repositories: Repositories) => MaybePromise<Result>,
) => Promise<Result>;
