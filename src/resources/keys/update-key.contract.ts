import { contract } from '../../kernel/contract.ts';
import { keyBody, keyChange, keyIdText } from './key.body.ts';

export const updateKeyContract = contract({
  id: 'updateKey',
  method: 'PATCH',
  path: '/keys/{keyId}',
  command: 'keys update',
  tag: 'Keys',
  summary: 'Update a key',
  description:
    'Changes the name, plan, limits, scopes or expiry of a key; what is left out stays. The change holds from the next ' +
    'request on, and what has been used of a window stays used. A revoked key cannot be changed. Writes ' +
    '`key.updated`, unless nothing changes.',
  scope: 'keys:write',
  input: { path: { keyId: keyIdText }, body: keyChange },
  answer: { status: 200, description: 'The key as it is now', body: keyBody },
  failures: ['admin_key', 'invalid_status_transition'],
  stability: 'beta',
});
