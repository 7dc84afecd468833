import type { DeprecatedCalls, HourCount, KeyUsage } from './usage.ts';

export type UsageReads = {
  /** The hours of a key from `since` on. */
  hoursOf(keyId: string, since: number): Promise<HourCount[]>;
  deprecatedCalls(): Promise<DeprecatedCalls[]>;
};

/** The statistics of the whole deployment. */
export type UsageRepository = UsageReads & {
  /** Adds a batch to what is stored, and notes when each key was last used. */
  add(batch: readonly KeyUsage[]): Promise<void>;
  /** Removes hours before `before`, the oldest first, and no more at once than a request can wait for. */
  forget(before: number): Promise<void>;
};
