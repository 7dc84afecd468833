import { contract } from '../../kernel/contract.ts';
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
