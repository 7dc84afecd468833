import type { KeyRequest } from '../../kernel/operation.ts';
import { type Clock, copyText, HOUR_MS } from '../../kernel/runtime.ts';
import type { KeyUsage, RecentRequest } from './usage.ts';

/** Number of keys per transaction. Requests wait while a transaction runs, so it must be short. */
const SLICE = 200;

/** With these limits, recent requests take up at most 25 MB of memory, or about 6 MB if URLs are short. */
const RECENT_PER_KEY = 200;
const RECENT_PER_GENERATION = 10_000;
const MAX_URL = 1000;

type Deps = { clock: Clock; save(batch: readonly KeyUsage[]): Promise<void> };

export const hourOf = (now: number): number => now - (now % HOUR_MS);

const addHour = ({ hours }: KeyUsage, at: number, status: number, count: number): void => {
  const hour = at - (at % HOUR_MS);
  for (const entry of hours) {
    if (entry.hour === hour && entry.status === status) {
      entry.count += count;
      return;
    }
  }
  hours.push({ hour, status, count });
};

const addDeprecated = ({ keyId, deprecated }: KeyUsage, operation: string, calls: number, lastCalledAt: number) => {
  for (const entry of deprecated) {
    if (entry.operation === operation) {
      entry.calls += calls;
      entry.lastCalledAt = Math.max(entry.lastCalledAt, lastCalledAt);
      return;
    }
  }
  deprecated.push({ operation, keyId, calls, lastCalledAt });
};

type Recent = { since: number; oldest: number; requests: RecentRequest[] };

// Forgets keys that have no recent requests. Each request moves its key to `young`. When `young` is full, the keys that
// are still in `old` are forgotten, and `young` becomes `old`.
const createRecentRequests = (startedAt: number) => {
  let [young, old] = [new Map<string, Recent>(), new Map<string, Recent>()];
  let [kept, since] = [0, startedAt];

  const age = (now: number): void => {
    if (old.size > 0) since = now;
    [old, young, kept] = [young, new Map(), 0];
  };
  const rejuvenate = (keyId: string, now: number): Recent => {
    const recent = old.get(keyId) ?? { since, oldest: 0, requests: [] };
    old.delete(keyId);
    if (kept + recent.requests.length > RECENT_PER_GENERATION) age(now);
    young.set(keyId, recent);
    kept += recent.requests.length;
    return recent;
  };

  return {
    note({ keyId, requestId, method, path, status, code, durationMs, address, urlLength }: KeyRequest, at: number) {
      const recent = young.get(keyId) ?? rejuvenate(keyId, at);
      const { requests, oldest } = recent;
      const shown = urlLength > MAX_URL ? copyText(path.slice(0, MAX_URL)) : path;
      const request = { at, method, path: shown, status, code, durationMs, address, requestId };
      if (requests.length === RECENT_PER_KEY) {
        requests[oldest] = request;
        recent.oldest = (oldest + 1) % RECENT_PER_KEY;
        return;
      }
      requests.push(request);
      kept += 1;
      if (kept > RECENT_PER_GENERATION) age(at);
    },

    /** Returns the requests, newest first. No request after `since` is missing. */
    of(keyId: string): { since: number; requests: readonly RecentRequest[] } {
      const recent = young.get(keyId) ?? old.get(keyId);
      if (!recent) return { since, requests: [] };
      const { requests, oldest } = recent;
      const isFull = requests.length === RECENT_PER_KEY;
      return {
        since: isFull ? (requests[oldest] as RecentRequest).at : recent.since,
        requests: [...requests.slice(oldest), ...requests.slice(0, oldest)].reverse(),
      };
    },
  };
};

/** Counts requests in memory and stores the counts in batches, so that no request waits for a write. */
export const createUsageCounter = ({ clock, save }: Deps) => {
  let counted = new Map<string, KeyUsage>();
  let underWay: Promise<void> | undefined;
  let flushes = 0;
  const recent = createRecentRequests(clock());

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
    count(request: KeyRequest): void {
      const { keyId, status, deprecatedOperation } = request;
      const now = clock();
      const usage = usageOf(keyId);
      usage.lastUsedAt = now;
      addHour(usage, now, status, 1);
      if (deprecatedOperation !== undefined) addDeprecated(usage, deprecatedOperation, 1, now);
      recent.note(request, now);
    },

    recentOf: recent.of,

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
