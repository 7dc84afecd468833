import { z } from 'zod';
import type { BodyOf } from '../../kernel/contract.ts';
import { count } from '../../kernel/int64.ts';
import { EXAMPLE, formatInstant, instant } from '../../kernel/schema.ts';
import type { Standing, WindowView } from '../../limits/window.ts';

export const HOUR_MS = 3_600_000;

export const USAGE_KEPT_MS = 30 * 24 * HOUR_MS;

export type HourCount = { hour: number; status: number; count: number };

export type DeprecatedCalls = { operation: string; keyId: string; calls: number; lastCalledAt: number };

export type KeyUsage = { keyId: string; lastUsedAt: number; hours: HourCount[]; deprecated: DeprecatedCalls[] };

const MINUTE = { limit: 300, used: 2, remaining: 298, resetAt: EXAMPLE.time };
const DAY = { limit: 10_000, used: 12, remaining: 9988, resetAt: EXAMPLE.later };

const window = z
  .object({
    limit: count.meta({ description: 'Maximum requests per window.' }),
    used: count.meta({ description: 'Requests counted in the current window.' }),
    remaining: count.meta({ description: 'Requests left in the current window.' }),
    resetAt: instant.meta({ description: 'When the window resets.' }),
  })
  .meta({ id: 'UsageWindow', description: 'State of one rate-limit window.', examples: [MINUTE] });

const HOUR = { hour: EXAMPLE.time, total: 12, byStatus: { '200': 11, '404': 1 } };

const usageHour = z
  .object({
    hour: instant.meta({ description: 'Start of the hour.' }),
    total: count.meta({ description: 'Requests in that hour, including refused ones.' }),
    byStatus: z.record(z.string(), count).meta({ description: 'Requests by response status.' }),
  })
  .meta({ id: 'UsageHour', description: 'Requests in one hour.', examples: [HOUR] });

const STORED = { limit: 100_000, used: 1200, remaining: 98_800 };

const storedPets = z
  .object({
    limit: count.nullable().meta({ description: 'Maximum number of pets in the store; null means no limit.' }),
    used: count.meta({ description: 'Pets in the store, added by any key.' }),
    remaining: count.nullable().meta({ description: 'Pets that the key can still add; null means no limit.' }),
  })
  .meta({ id: 'UsagePets', description: "Number of pets in the key's store, and the limit.", examples: [STORED] });

export const usageBody = z
  .object({
    keyId: z.string().meta({ description: 'The identifier of the key.' }),
    minute: window.meta({ description: 'The 60-second window.' }),
    day: window.meta({ description: 'The 24-hour window.', examples: [DAY] }),
    pets: storedPets.meta({ description: "Number of pets in the key's store, and the limit." }),
    bannedUntil: instant.nullable().meta({ description: "When the key's ban ends; null if the key is not banned." }),
    hours: z
      .array(usageHour)
      .meta({ description: 'Requests in the last 30 days by hour; hours without requests are omitted.' }),
  })
  .meta({
    id: 'Usage',
    description: "A key's limits, and its requests in the last 30 days by hour and status.",
    examples: [{ keyId: EXAMPLE.keyId, minute: MINUTE, day: DAY, pets: STORED, bannedUntil: null, hours: [HOUR] }],
  });

const toWindowBody = ({ windows }: Standing, name: WindowView['name']): BodyOf<typeof window> => {
  const found = windows.find((window) => window.name === name);
  if (!found) throw new Error(`no window for the ${name}`);
  const { limit, used, remaining, resetAt } = found;
  return { limit, used, remaining, resetAt: formatInstant(resetAt) };
};

type StoredPets = { limit: number | null; used: number };

/** `counts` may have two entries for an hour and status: one for stored requests, one for requests still in memory. */
export const toUsageBody = (
  keyId: string,
  { standing, pets, counts }: { standing: Standing; pets: StoredPets; counts: readonly HourCount[] },
): BodyOf<typeof usageBody> => {
  const byHour = Map.groupBy(counts, ({ hour }) => hour);
  const hours = [...byHour]
    .sort(([a], [b]) => a - b)
    .map(([hour, parts]) => {
      const byStatus: Record<string, number> = {};
      for (const { status, count } of parts) byStatus[status] = (byStatus[status] ?? 0) + count;
      return { hour: formatInstant(hour), total: parts.reduce((sum, { count }) => sum + count, 0), byStatus };
    });
  return {
    keyId,
    minute: toWindowBody(standing, 'minute'),
    day: toWindowBody(standing, 'day'),
    pets: { ...pets, remaining: pets.limit === null ? null : Math.max(0, pets.limit - pets.used) },
    bannedUntil: standing.bannedUntil === undefined ? null : formatInstant(standing.bannedUntil),
    hours,
  };
};
