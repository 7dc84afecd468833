import { contract } from '../../kernel/contract.ts';
import { timePosition } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { keyBody, keyChange, keyIdText, keyNameBody, keyRotation, keyWithSecretBody, newKey } from './key.body.ts';

const KEYS = { tag: 'Keys', scope: 'keys:write', stability: 'beta' } as const;
const keys = listOf(keyBody, 'Keys', 'Keys, in order of creation.');

export const listKeysContract = contract('listKeys', 'GET', '/keys', {
  ...KEYS,
  command: 'keys list',
  summary: 'List keys',
  description: 'Returns the keys for all stores in order of creation, including revoked ones.',
  paged: timePosition,
  answer: { status: 200, description: 'A page of keys', body: keys },
});

export const createKeyContract = contract('createKey', 'POST', '/keys', {
  ...KEYS,
  command: 'keys create',
  summary: 'Create a key',
  description:
    'Creates an API key. Only this response shows the secret, because the service stores only its hash. `limits` ' +
    'is required on the `enterprise` plan and not allowed on other plans. Writes a `key.created` event.',
  input: { body: newKey },
  answer: { status: 201, description: 'Key created', body: keyWithSecretBody, headers: ['Location'] },
});

export const getMyKeyContract = contract('getMyKey', 'GET', '/keys/me', {
  ...KEYS,
  command: 'keys me',
  summary: 'Get your own key',
  description:
    "Returns the calling key, with its scopes and limits. Does not count against the key's limits, and " +
    'works even if the key is rate-limited or banned.',
  scope: 'any key',
  meter: 'own',
  answer: { status: 200, description: 'The calling key', body: keyBody },
});

export const getKeyContract = contract('getKey', 'GET', '/keys/{keyId}', {
  ...KEYS,
  command: 'keys get',
  summary: 'Get a key',
  description: 'Returns one key, even if it is revoked. The response never contains the secret.',
  input: { path: { keyId: keyIdText } },
  answer: { status: 200, description: 'The key', body: keyBody },
});

export const getKeyNameContract = contract('getKeyName', 'GET', '/keys/{keyId}/name', {
  ...KEYS,
  command: 'keys name',
  summary: "Get a key's name",
  description:
    "Returns the name of a key in the caller's store, even a revoked one. The `actor` of an event contains only " +
    "the key's id.",
  scope: 'events:read',
  input: { path: { keyId: keyIdText } },
  answer: { status: 200, description: 'The name of the key', body: keyNameBody },
});

export const updateKeyContract = contract('updateKey', 'PATCH', '/keys/{keyId}', {
  ...KEYS,
  command: 'keys update',
  summary: 'Update a key',
  description:
    "Changes a key's name, plan, limits, scopes or expiry. Omitted fields stay as they are. The change applies from " +
    'the next request, and the current rate-limit windows keep their counts. A revoked key cannot be changed. ' +
    'Writes a `key.updated` event, unless nothing changes.',
  input: { path: { keyId: keyIdText }, body: keyChange },
  answer: { status: 200, description: 'The updated key', body: keyBody },
  failures: ['admin_key', 'invalid_status_transition'],
});

export const revokeKeyContract = contract('revokeKey', 'DELETE', '/keys/{keyId}', {
  ...KEYS,
  command: 'keys revoke',
  summary: 'Revoke a key',
  description:
    'Revokes a key permanently, and disables its webhooks. The change takes effect immediately on the instance that ' +
    'handles the request, and within a second on all others. The key still appears in the list of keys. Revoking it ' +
    'again changes nothing. Writes a `key.revoked` event, and a `webhook.disabled` event for each webhook.',
  input: { path: { keyId: keyIdText } },
  answer: { status: 204, description: 'Key revoked' },
  failures: ['admin_key'],
});

export const rotateKeyContract = contract('rotateKey', 'POST', '/keys/{keyId}/rotate', {
  ...KEYS,
  command: 'keys rotate',
  summary: 'Rotate a key',
  description:
    'Creates a new secret and shows it only once. The key keeps its id, store and rate-limit windows. The previous ' +
    'secret stays valid for `graceSeconds`; older secrets expire immediately. A revoked key cannot be rotated. Writes a ' +
    '`key.rotated` event.',
  input: { path: { keyId: keyIdText }, body: keyRotation, optionalBody: true },
  answer: { status: 200, description: 'The key with its new secret', body: keyWithSecretBody },
  failures: ['admin_key', 'invalid_status_transition'],
});

export const unbanKeyContract = contract('unbanKey', 'POST', '/keys/{keyId}/unban', {
  ...KEYS,
  command: 'keys unban',
  summary: 'Lift the ban on a key',
  description:
    'Lifts the ban on a key. This also clears its record of refused requests and bans, so the next ban lasts only 2 minutes. ' +
    'The rate-limit windows do not change. A key that is not banned is returned unchanged. Writes a `key.unbanned` event.',
  input: { path: { keyId: keyIdText } },
  answer: { status: 200, description: 'The key, which is no longer banned', body: keyBody },
});
