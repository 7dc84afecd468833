import type { Changes } from './poller.ts';

/** Each serving instance holds a lease with this prefix and its own name. */
export const INSTANCE = 'instance:';

/** Work that one instance does for all. */
export type LeaseRepository = {
  /** Takes or keeps a lease until then, unless another instance holds it. */
  acquire(name: string, holder: string, now: number, until: number): Promise<boolean>;
  /** Releases all leases of an instance. */
  release(holder: string): Promise<void>;
  /** Removes leases that ended before then: a killed instance released nothing. */
  forget(before: number): Promise<void>;
};

export type ChangesRepository = {
  /** All that was committed since the mark; without one, only a first mark. */
  since(mark: string | undefined): Promise<Changes>;
};
