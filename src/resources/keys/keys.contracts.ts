import { contract } from '../../kernel/contract.ts';
import { timePosition } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { keyBody, keyChange, keyIdText, keyRotation, keyWithSecretBody, newKey } from './key.body.ts';

export const listKeysContract = contract({
  id: 'listKeys',
  method: 'GET',
  path: '/keys',
  command: 'keys list',
  tag: 'Keys',
  summary: 'List keys',
  description: 'Returns the keys of all stores, in the order in which they were issued. Revoked keys are among them.',
  scope: 'keys:write',
  input: {},
  paged: timePosition,
  answer: {
    status: 200,
    description: 'A page of keys',
    body: listOf(keyBody, { id: 'Keys', description: 'Keys, in the order in which they were issued.' }),
  },
  stability: 'beta',
});

export const createKeyContract = contract({
  id: 'createKey',
  method: 'POST',
  path: '/keys',
  command: 'keys create',
  tag: 'Keys',
  summary: 'Create a key',
  description:
    'Issues an API key. The answer shows the key itself, this once: only its hash is stored. `limits` is required on ' +
    'the plan `enterprise` and refused on every other. Writes `key.created`.',
  scope: 'keys:write',
  input: { body: newKey },
  answer: { status: 201, description: 'Key issued', body: keyWithSecretBody, headers: ['Location'] },
  stability: 'beta',
});

export const getMyKeyContract = contract({
  id: 'getMyKey',
  method: 'GET',
  path: '/keys/me',
  command: 'keys me',
  tag: 'Keys',
  summary: 'Get your own key',
  description:
    'Returns the key that makes the request: who am I, and what may I do? Costs nothing, and answers also when the key is ' +
    'limited or banned.',
  scope: 'any key',
  meter: 'own',
  input: {},
  answer: { status: 200, description: 'The key of the caller', body: keyBody },
  stability: 'beta',
});

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

export const unbanKeyContract = contract({
  id: 'unbanKey',
  method: 'POST',
  path: '/keys/{keyId}/unban',
  command: 'keys unban',
  tag: 'Keys',
  summary: 'Lift the ban of a key',
  description:
    'Ends the ban of a key, as if it had never begun: the refusals that led to it are forgotten, and the next ban lasts 2 ' +
    'minutes again. The windows stay as they are. A key without a ban is returned as it is. ' +
    'Writes `key.unbanned`.',
  scope: 'keys:write',
  input: { path: { keyId: keyIdText } },
  answer: { status: 200, description: 'The key, without a ban', body: keyBody },
  stability: 'beta',
});
