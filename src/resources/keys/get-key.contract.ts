import { contract } from '../../kernel/contract.ts';
import { keyBody, keyIdText } from './key.body.ts';

export const getKeyContract = contract({
  id: 'getKey',
  method: 'GET',
  path: '/keys/{keyId}',
  command: 'keys get',
  tag: 'Keys',
  summary: 'Get a key',
  description: 'Returns one key, a revoked one too. The secret is never shown again.',
  scope: 'keys:write',
  input: { path: { keyId: keyIdText } },
  answer: { status: 200, description: 'The key', body: keyBody },
  stability: 'beta',
});
