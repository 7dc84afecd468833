import type { Changes } from './poller.ts';

export const INSTANCE = 'instance:';

export type LeaseRepository = {
  /** Takes or extends a lease. Returns false if another instance holds the lease. */
  acquire(name: string, holder: string, now: number, until: number): Promise<boolean>;
  release(holder: string): Promise<void>;
  /** Removes leases that expired before `before`. Killed instances never release their leases. */
  forget(before: number): Promise<void>;
};

export type ChangesRepository = {
  /** Returns the changes committed after the mark. Without a mark, returns no changes, only the first mark. */
  since(mark: string | undefined): Promise<Changes>;
};
