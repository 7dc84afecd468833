import { contract } from '../../kernel/contract.ts';
import { timePosition } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { keyBody } from './key.body.ts';

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
