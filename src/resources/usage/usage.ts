import { z } from 'zod';
import type { BodyOf } from '../../kernel/contract.ts';
import type { KeyRequest } from '../../kernel/operation.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/runtime.ts';
import { count, EXAMPLE, formatInstant, instant, objectOf } from '../../kernel/schema.ts';
import type { WindowView } from '../../limits/window.ts';

export const USAGE_KEPT_MS = 30 * DAY_MS;

export type HourCount = { hour: number; status: number; count: number };

export type DeprecatedCalls = { operation: string; keyId: string; calls: number; lastCalledAt: number };

export type RecentRequest = Omit<KeyRequest, 'keyId' | 'urlLength' | 'deprecatedOperation'> & { at: number };

export type KeyUsage = { keyId: string; lastUsedAt: number; hours: HourCount[]; deprecated: DeprecatedCalls[] };

const MINUTE = { limit: 300, used: 2, remaining: 298, resetAt: EXAMPLE.time };
const DAY = { limit: 10_000, used: 12, remaining: 9988, resetAt: EXAMPLE.later };

const window = objectOf(MINUTE, 'UsageWindow', 'State of one rate-limit window.', {
  limit: count.describe('Maximum requests per window.'),
  used: count.describe('Requests counted in the current window.'),
  remaining: count.describe('Requests left in the current window.'),
  resetAt: instant.describe('When the window resets.'),
});

const HOUR = { hour: EXAMPLE.time, total: 12, byStatus: { '200': 11, '404': 1 } };

const usageHour = objectOf(HOUR, 'UsageHour', 'Requests in one hour.', {
  hour: instant.describe('Start of the hour.'),
  total: count.describe('Requests in that hour, including refused ones.'),
  byStatus: z.record(z.string(), count).describe('Requests by response status.'),
});

const STORED = { limit: 100_000, used: 1200, remaining: 98_800 };

const storedPets = objectOf(STORED, 'UsagePets', "Number of pets in the key's store, and the limit.", {
  limit: count.nullable().describe('Maximum number of pets in the store; null means no limit.'),
  used: count.describe('Pets in the store, added by any key.'),
  remaining: count.nullable().describe('Pets that the key can still add; null means no limit.'),
});

const USAGE = { keyId: EXAMPLE.keyId, minute: MINUTE, day: DAY, pets: STORED, bannedUntil: null, hours: [HOUR] };
const USAGE_WORDS = "A key's limits, and its requests in the last 30 days by hour and status.";

export const usageBody = objectOf(USAGE, 'Usage', USAGE_WORDS, {
  keyId: z.string().describe('The identifier of the key.'),
  minute: window.describe('The 60-second window.'),
  day: window.meta({ description: 'The 24-hour window.', examples: [DAY] }),
  pets: storedPets.describe("Number of pets in the key's store, and the limit."),
  bannedUntil: instant.nullable().describe("When the key's ban ends; null if the key is not banned."),
  hours: z.array(usageHour).describe('Requests in the last 30 days by hour; hours without requests are omitted.'),
});

const REQUEST = {
  timestamp: EXAMPLE.time,
  method: 'GET',
  path: '/v1/pets/999',
  status: 404,
  code: 'not_found',
  durationMs: 0.412,
  address: '203.0.113.7',
  requestId: EXAMPLE.requestId,
};

const recentRequest = objectOf(REQUEST, 'RecentRequest', 'One request with a valid key.', {
  timestamp: instant.describe('When the service responded.'),
  method: z.string().describe('The HTTP method.'),
  path: z.string().describe('The path without the query, at most 200 characters; secrets are masked.'),
  status: z.int32().describe('The HTTP status of the response.'),
  code: z.string().nullable().describe('The error code; null if the request succeeded.'),
  durationMs: z.number().describe('Time from arrival to response, in ms; for a stream, to its first byte.'),
  address: z.string().describe("The client's IP address."),
  requestId: z.string().describe('The id in `X-Request-Id`.'),
});

const RECENT = { keyId: EXAMPLE.keyId, since: EXAMPLE.time, requests: [REQUEST] };
const RECENT_WORDS = "A key's latest requests to the process that answered.";

export const recentRequestsBody = objectOf(RECENT, 'RecentRequests', RECENT_WORDS, {
  keyId: z.string().describe('The identifier of the key.'),
  since: instant.describe('The time from which the list is complete; at most an hour ago.'),
  requests: z.array(recentRequest).describe('Requests after `since`, newest first, up to 200.'),
});

const MAX_PATH = 200;

export const toRecentRequestsBody = (
  keyId: string,
  { since, requests }: { since: number; requests: readonly RecentRequest[] },
  { now, mask }: { now: number; mask(text: string): string },
): BodyOf<typeof recentRequestsBody> => ({
  keyId,
  since: formatInstant(Math.max(since, now - HOUR_MS)),
  requests: requests
    .filter(({ at }) => at >= now - HOUR_MS)
    .map(({ at, ...request }) => ({
      timestamp: formatInstant(at),
      ...request,
      // Masks secrets before shortening the path, because a secret that is cut in half would not be recognized.
      path: mask(request.path).slice(0, MAX_PATH),
      code: request.code ?? null,
      durationMs: Math.round(request.durationMs * 1000) / 1000,
    })),
});

const toWindowBody = (windows: readonly WindowView[], wanted: WindowView['name']): BodyOf<typeof window> => {
  const { limit, used, remaining, resetAt } = windows.find(({ name }) => name === wanted) as WindowView;
  return { limit, used, remaining, resetAt: formatInstant(resetAt) };
};

type UsageParts = {
  windows: readonly WindowView[];
  bannedUntil: number | undefined;
  pets: { limit: number | null; used: number };
  counts: readonly HourCount[];
};

/**
 * `counts` may have two entries for the same hour and status: one for stored requests, and one for requests that are
 * still in memory.
 */
export const toUsageBody = (
  keyId: string,
  { windows, bannedUntil, pets, counts }: UsageParts,
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
    minute: toWindowBody(windows, 'minute'),
    day: toWindowBody(windows, 'day'),
    pets: { ...pets, remaining: pets.limit === null ? null : Math.max(0, pets.limit - pets.used) },
    bannedUntil: formatInstant(bannedUntil ?? null),
    hours,
  };
};
