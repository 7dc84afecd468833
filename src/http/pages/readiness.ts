type Deps = {
  findAdmin(): Promise<unknown>;
  canServe(): boolean;
  waitedMs(): number;
};

/** If a write waits longer than this, in ms, the disk or database is stuck and the service is not ready. */
const HUNG_MS = 5000;

/**
 * Reads from the database to check whether requests can be served. `/readyz` has no rate limit, so concurrent calls
 * share one read and use at most one database connection.
 */
export const createReadiness = ({ findAdmin, canServe, waitedMs }: Deps) => {
  let reading: Promise<unknown> | undefined;
  return async (): Promise<boolean> => {
    if (!canServe() || waitedMs() >= HUNG_MS) return false;
    reading ??= findAdmin().finally(() => {
      reading = undefined;
    });
    return (await reading) !== undefined;
  };
};
