import { contract } from '../../kernel/contract.ts';
import { petBody, petChange, petIdText } from './pet.ts';

export const updatePetContract = contract({
  id: 'updatePet',
  method: 'PATCH',
  path: '/pets/{petId}',
  command: 'pets update',
  tag: 'Pets',
  summary: 'Update an animal',
  description:
    'Changes name, category or status; what is left out stays. From `available` an animal can become `pending` or `sold`, ' +
    'from `pending` `available` or `sold`; `sold` is final. An animal held by an order changes status through that order ' +
    'only. `If-Match` guards the change. Writes `pet.updated` if name or category change, then `pet.status_changed` if the ' +
    'status does; what changes nothing writes nothing.',
  scope: 'pets:write',
  input: { path: { petId: petIdText }, body: petChange },
  guarded: true,
  answer: { status: 200, description: 'The animal as it is now', body: petBody, headers: ['ETag'] },
  failures: ['pet_reserved', 'invalid_status_transition'],
  stability: 'beta',
});
