import type { Changes } from './poller.ts';

/** Prefix of the lease that each serving instance holds under its own name. */
export const INSTANCE = 'instance:';

/** Leases for work that only one instance may do at a time. */
export type LeaseRepository = {
  /** Takes or extends a lease; false if another instance holds it. */
  acquire(name: string, holder: string, now: number, until: number): Promise<boolean>;
  /** Releases all leases of an instance. */
  release(holder: string): Promise<void>;
  /** Removes leases that expired before `before`. Killed instances never release theirs. */
  forget(before: number): Promise<void>;
};

export type ChangesRepository = {
  /** Returns the changes committed after the mark. Without a mark, returns no changes, only the first mark. */
  since(mark: string | undefined): Promise<Changes>;
};
