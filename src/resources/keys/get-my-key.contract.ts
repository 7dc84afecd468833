import { contract } from '../../kernel/contract.ts';
import { keyBody } from './key.body.ts';

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
