import type { DeprecatedCalls, HourCount, KeyUsage } from './usage.ts';

export type UsageReads = {
  hoursOf(keyId: string, since: number): Promise<HourCount[]>;
  deprecatedCalls(): Promise<DeprecatedCalls[]>;
  newestHour(until: number): Promise<number | undefined>;
};

export type UsageRepository = UsageReads & {
  add(batch: readonly KeyUsage[]): Promise<void>;
  forget(before: number, most: number): Promise<number>;
};
