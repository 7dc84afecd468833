import { contract } from '../../kernel/contract.ts';
import { keyIdText } from './key.body.ts';

export const revokeKeyContract = contract({
  id: 'revokeKey',
  method: 'DELETE',
  path: '/keys/{keyId}',
  command: 'keys revoke',
  tag: 'Keys',
  summary: 'Revoke a key',
  description:
    'Ends a key for good: at once on the instance that is asked, within a second on every other. It stays readable. ' +
    'Revoking it again changes nothing. Its webhooks are switched off. Writes `key.revoked`, and ' +
    '`webhook.disabled` for each of them.',
  scope: 'keys:write',
  input: { path: { keyId: keyIdText } },
  answer: { status: 204, description: 'The key is revoked' },
  failures: ['admin_key'],
  stability: 'beta',
});
