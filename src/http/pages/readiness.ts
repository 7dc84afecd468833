type Deps = {
  /** Reads the admin key from the database. */
  findAdmin(): Promise<unknown>;
  /** Whether requests can be served, as far as this is known without a read. */
  canServe(): boolean;
  /** How long the oldest write has waited for its commit. */
  waitedMs(): number;
};

/** A write that waits longer than this waits for a stuck disk or database. */
const HUNG_MS = 5000;

/**
 * Checks by a read of the database whether requests can be served. Anyone may call `/readyz` without a limit, so concurrent
 * calls share one read and never take more than one connection to the database.
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
