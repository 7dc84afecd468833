import { shareRuns } from '../../kernel/runtime.ts';

type Deps = { findAdmin(): Promise<unknown>; canServe(): boolean; waitedMs(): number };

const HUNG_MS = 5000;

/** `/readyz` has no rate limit, so concurrent requests share one database read. */
export const createReadiness = ({ findAdmin, canServe, waitedMs }: Deps) => {
  const readAdmin = shareRuns(findAdmin);
  return async (): Promise<boolean> => canServe() && waitedMs() < HUNG_MS && (await readAdmin()) !== undefined;
};
