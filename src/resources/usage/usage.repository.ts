import type { DeprecatedCalls, HourCount, KeyUsage } from './usage.ts';

export type UsageReads = {
  /** The hours of a key from `since` on. */
  hoursOf(keyId: string, since: number): Promise<HourCount[]>;
  deprecatedCalls(): Promise<DeprecatedCalls[]>;
  /** The newest hour of any key that begins no later than `until`. */
  newestHour(until: number): Promise<number | undefined>;
};

/** The statistics of the whole deployment. */
export type UsageRepository = UsageReads & {
  /** Adds a batch to what is stored, and notes when each key was last used. */
  add(batch: readonly KeyUsage[]): Promise<void>;
  /** Deletes up to `most` of the hours that begin before `before`, the oldest first, and returns how many. */
  forget(before: number, most: number): Promise<number>;
};
