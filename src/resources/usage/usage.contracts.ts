import { z } from 'zod';
import { contract } from '../../kernel/contract.ts';
import { count, EXAMPLE, instant, listOf, objectOf } from '../../kernel/schema.ts';
import { keyIdText } from '../keys/key.body.ts';
import { recentRequestsBody, usageBody } from './usage.ts';

const USAGE = { tag: 'Usage', stability: 'beta' } as const;

export const getUsageContract = contract('getUsage', 'GET', '/usage', {
  ...USAGE,
  command: 'usage get',
  summary: 'Get usage and limits',
  description:
    "Returns the calling key's rate-limit windows and ban, the number of pets in its store, and its requests by hour " +
    "and status for the last 30 days. Does not count against the key's limits, and works even if the " +
    'key is rate-limited or banned.',
  scope: 'any key',
  meter: 'own',
  answer: { status: 200, description: "The calling key's usage", body: usageBody },
});

export const getKeyUsageContract = contract('getKeyUsage', 'GET', '/keys/{keyId}/usage', {
  ...USAGE,
  command: 'keys usage',
  summary: "Get a key's usage and limits",
  description:
    "Returns a key's rate-limit windows and ban, the number of pets in its store, and its requests by hour and status " +
    'for the last 30 days.',
  scope: 'ops:read',
  input: { path: { keyId: keyIdText } },
  answer: { status: 200, description: "The key's usage", body: usageBody },
});

const KEPT =
  'requests in the last hour, newest first, up to 200. A restart clears the list. If there are several instances, the ' +
  'list has only requests to the instance that answered.';

export const getRequestsContract = contract('getRequests', 'GET', '/usage/requests', {
  ...USAGE,
  command: 'usage requests',
  summary: 'Get your latest requests',
  description: `Returns the calling key's ${KEPT} Does not count against the key's limits, and works even if the key is rate-limited or banned.`,
  scope: 'any key',
  meter: 'own',
  answer: { status: 200, description: "The calling key's latest requests", body: recentRequestsBody },
});

export const getKeyRequestsContract = contract('getKeyRequests', 'GET', '/keys/{keyId}/requests', {
  ...USAGE,
  command: 'keys requests',
  summary: "Get a key's latest requests",
  description: `Returns a key's ${KEPT} Requests without a valid key are not included.`,
  scope: 'keys:write',
  input: { path: { keyId: keyIdText } },
  answer: { status: 200, description: "The key's latest requests", body: recentRequestsBody },
});

const CALLS = { keyId: EXAMPLE.keyId, calls: 42, lastCalledAt: EXAMPLE.time };

const calls = objectOf(CALLS, 'DeprecatedCalls', "One key's calls to a deprecated operation.", {
  keyId: z.string().describe('The calling key.'),
  calls: count.describe('Number of calls.'),
  lastCalledAt: instant.describe('Time of the last call.'),
});

const DEPRECATION = {
  operation: 'getPet',
  deprecatedSince: '2026-11-15T00:00:00.000Z',
  sunset: '2030-12-05T00:00:00.000Z',
  rehearsedDate: null,
  lastCalledAt: EXAMPLE.time,
  keys: [CALLS],
};

const deprecation = objectOf(DEPRECATION, 'Deprecation', 'A deprecated operation, and the keys that still call it.', {
  operation: z.string().meta({ description: 'The deprecated operation.', examples: ['getPet'] }),
  deprecatedSince: instant.describe('When the operation was deprecated, as in the `Deprecation` header.'),
  sunset: instant.describe('When the operation starts to return 410.'),
  rehearsedDate: instant
    .nullable()
    .describe(
      "Staging only: the date used instead of today's to decide whether the `Sunset` date has passed; null if not set.",
    ),
  lastCalledAt: instant.nullable().describe('Time of the last call by any key; null if there was none.'),
  keys: z.array(calls).describe('Keys that still call the operation, most recent call first.'),
});

const deprecations = listOf(deprecation, 'Deprecations', 'Deprecated operations.');

export const listDeprecationsContract = contract('listDeprecations', 'GET', '/deprecations', {
  ...USAGE,
  command: 'deprecations list',
  summary: 'List deprecated operations',
  description: 'Returns every operation that will be removed, and the keys that still call it.',
  scope: 'ops:read',
  answer: { status: 200, description: 'The deprecated operations', body: deprecations },
});
