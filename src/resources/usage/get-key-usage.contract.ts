import { contract } from '../../kernel/contract.ts';
import { keyIdText } from '../keys/key.body.ts';
import { usageBody } from './usage.ts';

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
