import type { Clock } from '../../kernel/clock.ts';
import { type DeprecatedCalls, type HourCount, hourOf, type KeyUsage } from './usage.ts';

/** So many keys are written in one transaction: requests wait while it runs. */
const SLICE = 200;

type Deps = { clock: Clock; save(batch: readonly KeyUsage[]): Promise<void> };

export type UsageCounter = {
  /** One answered request. `deprecatedOperation` is the operation it called, if that is to be removed. */
  count(request: { keyId: string; status: number; deprecatedOperation: string | undefined }): void;
  /** What is counted and not part of a flush yet. */
  pending(keyId: string): KeyUsage | undefined;
  allPending(): readonly KeyUsage[];
  /**
   * Runs `read` so that no flush falls into it. What it finds stored and what is pending right after make the whole:
   * nothing is missing, nothing is counted twice.
   */
  readBetweenFlushes<Stored>(read: () => Promise<Stored>): Promise<Stored>;
  /** Writes what was counted since the last call. */
  flush(): Promise<void>;
};

const hourCount = (usage: KeyUsage, hour: number, status: number): HourCount => {
  for (const entry of usage.hours) if (entry.hour === hour && entry.status === status) return entry;
  const fresh: HourCount = { hour, status, count: 0 };
  usage.hours.push(fresh);
  return fresh;
};

const deprecatedCalls = (usage: KeyUsage, operation: string): DeprecatedCalls => {
  for (const entry of usage.deprecated) if (entry.operation === operation) return entry;
  const fresh: DeprecatedCalls = { operation, keyId: usage.keyId, calls: 0, lastCalledAt: 0 };
  usage.deprecated.push(fresh);
  return fresh;
};

/** Adds the counts of `from` to those of `to`: a batch that could not be stored is counted again. */
const merge = (to: KeyUsage, from: KeyUsage): void => {
  to.lastUsedAt = Math.max(to.lastUsedAt, from.lastUsedAt);
  for (const { hour, status, count } of from.hours) hourCount(to, hour, status).count += count;
  for (const { operation, calls, lastCalledAt } of from.deprecated) {
    const entry = deprecatedCalls(to, operation);
    entry.calls += calls;
    entry.lastCalledAt = Math.max(entry.lastCalledAt, lastCalledAt);
  }
};

/** Counts requests in memory; they reach the database in batches, never on the way of a request. */
export const createUsageCounter = ({ clock, save }: Deps): UsageCounter => {
  let counted = new Map<string, KeyUsage>();
  /** Resolves when the flush that is running has ended, well or badly. */
  let underWay: Promise<void> | undefined;
  let flushes = 0;

  const startUsage = (keyId: string): KeyUsage => {
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
        for (const usage of batch) merge(counted.get(usage.keyId) ?? startUsage(usage.keyId), usage);
        throw error;
      }
      batch.splice(0, SLICE);
    }
  };

  return {
    count({ keyId, status, deprecatedOperation }) {
      const now = clock();
      const usage = counted.get(keyId) ?? startUsage(keyId);
      usage.lastUsedAt = now;
      hourCount(usage, hourOf(now), status).count += 1;
      if (deprecatedOperation === undefined) return;
      const calls = deprecatedCalls(usage, deprecatedOperation);
      calls.calls += 1;
      calls.lastCalledAt = now;
    },

    pending: (keyId) => counted.get(keyId),
    allPending: () => [...counted.values()],

    async readBetweenFlushes(read) {
      for (;;) {
        while (underWay) await underWay;
        const before = flushes;
        const stored = await read();
        if (flushes === before) return stored;
      }
    },

    async flush() {
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
