import { contract } from '../kernel/contract.ts';
import { keyIdText } from './key.body.ts';

export const revokeKeyContract = contract({
  id: 'revokeKey',
  method: 'DELETE',
  path: '/keys/{keyId}',
  command: 'keys revoke',
  tag: 'Keys',
  summary: 'Revoke a key',
  description: 'Ends a key for good, at once. It stays readable. Revoking it again changes nothing.',
  scope: 'keys:write',
  input: { path: { keyId: keyIdText } },
  answer: { status: 204, description: 'The key is revoked' },
  failures: ['admin_key'],
  stability: 'beta',
});
