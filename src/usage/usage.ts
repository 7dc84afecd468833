import { z } from 'zod';
import type { BodyOf } from '../kernel/contract.ts';
import type { Standing, WindowView } from '../limits/window.ts';

const HOUR_MS = 3_600_000;

/** How far back a caller may look. */
export const USAGE_KEPT_MS = 30 * 24 * HOUR_MS;

/** Requests of one key that ended with one status in one hour. */
export type HourCount = { hour: number; status: number; count: number };

/** The calls of a deprecated operation by one key. */
export type DeprecatedCalls = { operation: string; keyId: string; calls: number; lastCalledAt: number };

/** What a key did since the last batch was written. */
export type KeyUsage = { keyId: string; lastUsedAt: number; hours: HourCount[]; deprecated: DeprecatedCalls[] };

export const hourOf = (now: number): number => now - (now % HOUR_MS);

const window = z
  .object({
    limit: z.int().meta({ description: 'Requests admitted per window.' }),
    used: z.int().meta({ description: 'Requests counted in the open window.' }),
    remaining: z.int().meta({ description: 'Requests left in it.' }),
    resetAt: z.iso.datetime().meta({ description: 'When it opens anew.' }),
  })
  .meta({ id: 'UsageWindow', description: 'How one window stands.' });

export const usageBody = z
  .object({
    keyId: z.string(),
    minute: window,
    day: window,
    bannedUntil: z.iso.datetime().nullable(),
    hours: z.array(
      z.object({
        hour: z.iso.datetime().meta({ description: 'The beginning of the hour.' }),
        total: z.int(),
        byStatus: z.record(z.string(), z.int()).meta({ description: 'Requests by the status of their answer.' }),
      }),
    ),
  })
  .meta({ id: 'Usage', description: 'How a key stands, and its requests of the last 30 days by hour and status.' });

const iso = (at: number): string => new Date(at).toISOString();

const toWindowBody = ({ limit, used, remaining, resetAt }: WindowView): BodyOf<typeof window> => ({
  limit,
  used,
  remaining,
  resetAt: iso(resetAt),
});

const windowNamed = ({ windows }: Standing, name: WindowView['name']): WindowView => {
  const found = windows.find((window) => window.name === name);
  if (!found) throw new Error(`a key has a window for the ${name}`);
  return found;
};

/** The counts of one hour and status may come in several parts: what is written, and what is not yet. */
export const toUsageBody = (
  keyId: string,
  standing: Standing,
  counts: readonly HourCount[],
): BodyOf<typeof usageBody> => {
  const byHour = Map.groupBy(counts, ({ hour }) => hour);
  const hours = [...byHour]
    .sort(([a], [b]) => a - b)
    .map(([hour, parts]) => {
      const byStatus: Record<string, number> = {};
      for (const { status, count } of parts) byStatus[status] = (byStatus[status] ?? 0) + count;
      return { hour: iso(hour), total: parts.reduce((sum, { count }) => sum + count, 0), byStatus };
    });
  return {
    keyId,
    minute: toWindowBody(windowNamed(standing, 'minute')),
    day: toWindowBody(windowNamed(standing, 'day')),
    bannedUntil: standing.bannedUntil === undefined ? null : iso(standing.bannedUntil),
    hours,
  };
};
