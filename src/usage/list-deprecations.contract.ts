import { z } from 'zod';
import { contract } from '../kernel/contract.ts';

const calls = z.object({ keyId: z.string(), calls: z.int(), lastCalledAt: z.iso.datetime() });

const deprecation = z
  .object({
    operation: z.string().meta({ description: 'The operation to be removed.', examples: ['getPet'] }),
    deprecatedSince: z.iso.datetime(),
    sunset: z.iso.datetime().meta({ description: 'From when on it answers 410.' }),
    lastCalledAt: z.iso.datetime().nullable(),
    keys: z.array(calls).meta({ description: 'Who still calls it, latest first.' }),
  })
  .meta({ id: 'Deprecation', description: 'An operation to be removed, and who must still move.' });

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
    body: z.array(deprecation).meta({ id: 'Deprecations', description: 'Operations to be removed.' }),
  },
  stability: 'beta',
});
