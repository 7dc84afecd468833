import { contract } from '../../kernel/contract.ts';
import { newPet, petBody } from './pet.ts';

export const createPetContract = contract({
  id: 'createPet',
  method: 'POST',
  path: '/pets',
  command: 'pets create',
  tag: 'Pets',
  summary: 'Add an animal',
  description:
    'Adds a new animal. `status` is `available` unless it is given. A category that nobody has described yet is recorded ' +
    'without a name. Writes `pet.created`.',
  scope: 'pets:write',
  input: { body: newPet },
  answer: { status: 201, description: 'Animal added', body: petBody, headers: ['ETag', 'Location'] },
});
