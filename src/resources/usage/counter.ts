import type { Clock } from '../../kernel/clock.ts';
import { HOUR_MS, type KeyUsage } from './usage.ts';

/** Keys written per transaction. Requests wait for the transaction, so it must be short. */
const SLICE = 200;

type Deps = { clock: Clock; save(batch: readonly KeyUsage[]): Promise<void> };

type CountedRequest = { keyId: string; status: number; deprecatedOperation: string | undefined };

export const hourOf = (now: number): number => now - (now % HOUR_MS);

const addHour = ({ hours }: KeyUsage, hour: number, status: number, count: number): void => {
  for (const entry of hours) {
    if (entry.hour === hour && entry.status === status) {
      entry.count += count;
      return;
    }
  }
  hours.push({ hour, status, count });
};

const addDeprecated = (
  { keyId, deprecated }: KeyUsage,
  operation: string,
  calls: number,
  lastCalledAt: number,
): void => {
  for (const entry of deprecated) {
    if (entry.operation === operation) {
      entry.calls += calls;
      entry.lastCalledAt = Math.max(entry.lastCalledAt, lastCalledAt);
      return;
    }
  }
  deprecated.push({ operation, keyId, calls, lastCalledAt });
};

/** Counts requests in memory and stores the counts in batches, so that no request waits for a write. */
export const createUsageCounter = ({ clock, save }: Deps) => {
  let counted = new Map<string, KeyUsage>();
  let underWay: Promise<void> | undefined;
  let flushes = 0;

  const usageOf = (keyId: string): KeyUsage => {
    const known = counted.get(keyId);
    if (known) return known;
    const fresh: KeyUsage = { keyId, lastUsedAt: 0, hours: [], deprecated: [] };
    counted.set(keyId, fresh);
    return fresh;
  };

  const saveAll = async (): Promise<void> => {
    const batch = [...counted.values()];
    counted = new Map();
    while (batch.length > 0) {
      try {
        await save(batch.slice(0, SLICE));
      } catch (error) {
        for (const { keyId, lastUsedAt, hours, deprecated } of batch) {
          const usage = usageOf(keyId);
          usage.lastUsedAt = Math.max(usage.lastUsedAt, lastUsedAt);
          for (const { hour, status, count } of hours) addHour(usage, hour, status, count);
          for (const { operation, calls, lastCalledAt } of deprecated)
            addDeprecated(usage, operation, calls, lastCalledAt);
        }
        throw error;
      }
      batch.splice(0, SLICE);
    }
  };

  return {
    count({ keyId, status, deprecatedOperation }: CountedRequest): void {
      const now = clock();
      const usage = usageOf(keyId);
      usage.lastUsedAt = now;
      addHour(usage, hourOf(now), status, 1);
      if (deprecatedOperation !== undefined) addDeprecated(usage, deprecatedOperation, 1, now);
    },

    /** Runs `read` while no counts are being stored, so that a request is never in both `stored` and `pending`. */
    async readBetweenFlushes<Stored>(read: () => Promise<Stored>) {
      for (;;) {
        while (underWay) await underWay;
        const before = flushes;
        const stored = await read();
        if (flushes === before) return { stored, pending: counted as ReadonlyMap<string, KeyUsage> };
      }
    },

    async flush(): Promise<void> {
      while (underWay) await underWay;
      const ended = Promise.withResolvers<void>();
      underWay = ended.promise;
      flushes += 1;
      try {
        await saveAll();
      } finally {
        underWay = undefined;
        ended.resolve();
      }
    },
  };
};

export type UsageCounter = ReturnType<typeof createUsageCounter>;
