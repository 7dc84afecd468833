/** Runs `body` in a transaction of that store. */
export type WriteInStore<Repositories> = <Result>(
  storeId: bigint,
  body: (repositories: Repositories) => Promise<Result>,
) => Promise<Result>;
