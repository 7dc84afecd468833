import { contract } from '../../kernel/contract.ts';
import { keyIdText, keyRotation, keyWithSecretBody } from './key.body.ts';

export const rotateKeyContract = contract({
  id: 'rotateKey',
  method: 'POST',
  path: '/keys/{keyId}/rotate',
  command: 'keys rotate',
  tag: 'Keys',
  summary: 'Rotate a key',
  description:
    'Makes a new secret and shows it, this once. Id, store and windows stay. The secret before lives on for ' +
    '`graceSeconds`; any older one ends at once. A revoked key cannot be rotated. Writes `key.rotated`.',
  scope: 'keys:write',
  input: { path: { keyId: keyIdText }, body: keyRotation, optionalBody: true },
  answer: { status: 200, description: 'The key with its new secret', body: keyWithSecretBody },
  failures: ['admin_key', 'invalid_status_transition'],
  stability: 'beta',
});
