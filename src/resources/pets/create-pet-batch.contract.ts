import { contract, MOST_BATCHES, MOST_ROWS, ROWS_PER_REQUEST } from '../../kernel/contract.ts';
import { spellCount } from '../../kernel/int64.ts';
import { newPetBatch, petsBody } from './pet.ts';

export const createPetBatchContract = contract({
  id: 'createPetBatch',
  method: 'POST',
  path: '/pets/batch',
  command: 'pets create-batch',
  tag: 'Pets',
  summary: 'Add many animals',
  description:
    `Adds up to ${spellCount(MOST_ROWS)} animals, all of them or none, and returns them in the order given. A 400 ` +
    `names every row that is wrong. The body can have up to 1 MiB, and each animal up to 64 KiB. It costs one request per ` +
    `${ROWS_PER_REQUEST} animals, rounded up. The service charges before it checks the animals, and keeps the charge if one is wrong. ` +
    `An invalid batch costs at least one request per tenth of a MiB. Each key can have ${MOST_BATCHES.each} batches in progress; ` +
    'more get 503. ' +
    'Writes `pet.created` for each animal.',
  scope: 'pets:write',
  input: { body: newPetBatch },
  batchOf: 'pets',
  answer: { status: 201, description: 'Animals added', body: petsBody },
  stability: 'beta',
});
