type Deps = { findAdmin(): Promise<unknown>; canServe(): boolean; waitedMs(): number };

const HUNG_MS = 5000;

/** `/readyz` has no rate limit, so concurrent requests share one database read. */
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
