import { contract } from '../../kernel/contract.ts';
import { int64Text } from '../../kernel/int64.ts';
import { listOf } from '../../kernel/schema.ts';
import { petIdText } from '../pets/pet.ts';
import { historyEntryBody } from './history.ts';

export const listPetHistoryContract = contract({
  id: 'listPetHistory',
  method: 'GET',
  path: '/pets/{petId}/history',
  command: 'pets history',
  tag: 'Pets',
  summary: 'List the history of an animal',
  description:
    'Returns every change of an animal, also of one that is gone: when, what, and the order or key behind it.',
  scope: 'pets:read',
  input: { path: { petId: petIdText } },
  paged: int64Text,
  answer: {
    status: 200,
    description: 'A page of changes',
    body: listOf(historyEntryBody, { id: 'History', description: 'Changes of an animal, in their order.' }),
  },
  stability: 'beta',
});
