import { z } from 'zod';
import { contract } from '../../kernel/contract.ts';
import { count } from '../../kernel/int64.ts';
import { EXAMPLE, instant, listOf } from '../../kernel/schema.ts';
import { keyIdText } from '../keys/key.body.ts';
import { usageBody } from './usage.ts';

export const getUsageContract = contract({
  id: 'getUsage',
  method: 'GET',
  path: '/usage',
  command: 'usage get',
  tag: 'Usage',
  summary: 'Get usage and limits',
  description:
    'Returns both windows of the caller, a ban if there is one, how full its store is, and its requests of the last 30 days by hour and status. Costs nothing, and ' +
    'answers also when the key is limited or banned.',
  scope: 'any key',
  meter: 'own',
  input: {},
  answer: { status: 200, description: 'The usage of the caller', body: usageBody },
  stability: 'beta',
});

export const getKeyUsageContract = contract({
  id: 'getKeyUsage',
  method: 'GET',
  path: '/keys/{keyId}/usage',
  command: 'keys usage',
  tag: 'Usage',
  summary: 'Get usage and limits of a key',
  description:
    'Returns both windows of any key, a ban if there is one, how full its store is, and its requests of the last 30 days by hour and status.',
  scope: 'ops:read',
  input: { path: { keyId: keyIdText } },
  answer: { status: 200, description: 'The usage of the key', body: usageBody },
  stability: 'beta',
});

const CALLS = { keyId: EXAMPLE.keyId, calls: 42, lastCalledAt: EXAMPLE.time };

const calls = z
  .object({
    keyId: z.string().meta({ description: 'The key that calls it.' }),
    calls: count.meta({ description: 'How often it has.' }),
    lastCalledAt: instant.meta({ description: 'When it last has.' }),
  })
  .meta({ id: 'DeprecatedCalls', description: 'The calls of a deprecated operation by one key.', examples: [CALLS] });

const deprecation = z
  .object({
    operation: z.string().meta({ description: 'The operation to be removed.', examples: ['getPet'] }),
    deprecatedSince: instant.meta({ description: 'Since when clients are told.' }),
    sunset: instant.meta({ description: 'From when on it answers 410.' }),
    rehearsedDate: instant
      .nullable()
      .meta({ description: 'On staging: the instant by which its removal is judged; null: the present one.' }),
    lastCalledAt: instant.nullable().meta({ description: 'When anybody last called it; null: nobody has.' }),
    keys: z.array(calls).meta({ description: 'Who still calls it, latest first.' }),
  })
  .meta({
    id: 'Deprecation',
    description: 'An operation to be removed, and who must still move.',
    examples: [
      {
        operation: 'getPet',
        deprecatedSince: '2026-11-15T00:00:00.000Z',
        sunset: '2030-12-05T00:00:00.000Z',
        rehearsedDate: null,
        lastCalledAt: EXAMPLE.time,
        keys: [CALLS],
      },
    ],
  });

export const listDeprecationsContract = contract({
  id: 'listDeprecations',
  method: 'GET',
  path: '/deprecations',
  command: 'deprecations list',
  tag: 'Usage',
  summary: 'List deprecated operations',
  description: 'Returns every operation that will be removed, and the keys that still call it.',
  scope: 'ops:read',
  input: {},
  answer: {
    status: 200,
    description: 'The deprecated operations',
    body: listOf(deprecation, { id: 'Deprecations', description: 'Operations to be removed.' }),
  },
  stability: 'beta',
});
