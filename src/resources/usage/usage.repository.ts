import type { DeprecatedCalls, HourCount, KeyUsage } from './usage.ts';

export type UsageReads = {
  hoursOf(keyId: string, since: number): Promise<HourCount[]>;
  deprecatedCalls(): Promise<DeprecatedCalls[]>;
  /** Returns the newest stored hour, of any key, that begins no later than `until`. */
  newestHour(until: number): Promise<number | undefined>;
};

export type UsageRepository = UsageReads & {
  /** Adds a batch to the stored counts, and records when each key was last used. */
  add(batch: readonly KeyUsage[]): Promise<void>;
  /** Deletes up to `most` hours that begin before `before`, oldest first. Returns the number deleted. */
  forget(before: number, most: number): Promise<number>;
};
