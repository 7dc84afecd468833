import type { InputOf } from '../../kernel/contract.ts';
import { faulty } from '../../kernel/failure.ts';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import { reads } from '../../kernel/operation.ts';
import { answerPage } from '../../kernel/page.ts';
import { type NamePosition, type Pet, toPetBody } from './pet.ts';
import { listPetsContract } from './pets.contracts.ts';
import type { PetReads } from './pets.repository.ts';

type Input = InputOf<typeof listPetsContract>;
type Listed = Pet & Partial<NamePosition>;

const refuse = ({ query: { sort, name }, page: { after } }: Input): void => {
  if (name === undefined) return;
  if (sort === 'id')
    throw faulty('invalid_parameter', {
      parameter: 'sort',
      detail: 'must be `name` or omitted when the `name` parameter is set',
    });
  // The service never issues a cursor for a name without the prefix, so this cursor was forged.
  if (after && !after.foldedName.startsWith(name)) {
    throw faulty('invalid_cursor', { parameter: 'cursor', detail: 'is damaged; start again at the first page' });
  }
};

const read = (pets: PetReads, { query, page }: Input): MaybePromise<Listed[]> => {
  const limit = page.limit + 1;
  return query.sort === 'name' || query.name !== undefined
    ? pets.listByName(query, { ...page, limit })
    : pets.list(query, { ...page, limit, after: page.after?.id });
};

const formatPosition = ({ id, foldedName }: Listed): string =>
  foldedName === undefined ? `${id}` : `${id}.${foldedName}`;

const show = (pets: Listed[], { query, page }: Input) => {
  const answer = answerPage(pets, page, { body: toPetBody, position: formatPosition });
  const only = query.ids?.length === 1 ? pets[0] : undefined;
  return only ? { ...answer, version: only.version } : answer;
};

export const listPets = reads(listPetsContract, (repositories: { pets: PetReads }, input) => {
  refuse(input);
  const pets = read(repositories.pets, input);
  return pets instanceof Promise ? pets.then((found) => show(found, input)) : show(pets, input);
});
