import { contract } from '../../kernel/contract.ts';
import { petIdText } from './pet.ts';

export const deletePetContract = contract({
  id: 'deletePet',
  method: 'DELETE',
  path: '/pets/{petId}',
  command: 'pets delete',
  tag: 'Pets',
  summary: 'Delete an animal',
  description:
    'Removes an animal, unless an order holds it. Past orders, events and history keep its id, which is never used again. ' +
    '`If-Match` guards the removal. Writes `pet.deleted`.',
  scope: 'pets:write',
  input: { path: { petId: petIdText } },
  guarded: true,
  answer: { status: 204, description: 'The animal is removed' },
  failures: ['pet_reserved'],
  stability: 'beta',
});
