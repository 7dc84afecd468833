import { contract } from '../../kernel/contract.ts';
import { petBody, petIdText } from './pet.ts';

export const getPetContract = contract({
  id: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  command: 'pets get',
  tag: 'Pets',
  summary: 'Get an animal',
  description:
    'Returns one animal by identifier, with its version in `ETag`. To be removed on 5 December 2030: use `GET /pets?ids=` ' +
    'instead.',
  scope: 'pets:read',
  input: { path: { petId: petIdText } },
  answer: { status: 200, description: 'The requested animal', body: petBody, headers: ['ETag'] },
  failures: ['not_found'],
  deprecation: {
    since: new Date('2026-11-15T00:00:00Z'),
    sunset: new Date('2030-12-05T00:00:00Z'),
    successor: '/pets',
  },
});
