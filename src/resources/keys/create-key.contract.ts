import { contract } from '../../kernel/contract.ts';
import { keyWithSecretBody, newKey } from './key.body.ts';

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
