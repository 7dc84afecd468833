import type { InputOf } from '../../kernel/contract.ts';
import { faulty } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { answerPage } from '../../kernel/page.ts';
import type { MaybePromise } from '../../kernel/runtime.ts';
import { type NamePosition, type Pet, toPetBody } from './pet.ts';
import { listPetsContract } from './pets.contracts.ts';
import { isByName, type PetReads } from './pets.repository.ts';

type Input = InputOf<typeof listPetsContract>;
type Listed = Pet & Partial<NamePosition>;
type Found = { pets: Listed[]; end?: NamePosition };

const refuse = ({ query: { sort, name }, page: { after } }: Input): void => {
  if (name === undefined) return;
  if (sort === 'id')
    throw faulty('invalid_parameter', {
      parameter: 'sort',
      detail: 'cannot be `id` when the `name` parameter is set; use `name`, or omit `sort`',
    });
  // The service issues cursors only for names with the requested prefix, so any other cursor was forged.
  if (after && !after.foldedName.startsWith(name)) {
    throw faulty('invalid_cursor', { parameter: 'cursor', detail: 'is damaged; start again from the first page' });
  }
};

const read = (pets: PetReads, { query, page: asked }: Input): MaybePromise<Listed[] | Found> => {
  const { search } = query;
  const page = { ...asked, limit: asked.limit + 1 };
  if (search !== undefined) return pets.search({ ...query, search }, page);
  return isByName(query) ? pets.listByName(query, page) : pets.list(query, { ...page, after: page.after?.id });
};

const show = (found: Listed[] | Found, { query, page }: Input) => {
  const { pets, end }: Found = Array.isArray(found) ? { pets: found } : found;
  const position = ({ id, foldedName }: Partial<NamePosition> & { id: bigint }) =>
    isByName(query) ? `${id}.${foldedName}` : `${id}`;
  const answer = answerPage(pets, page, { body: toPetBody, position });
  if (answer.next === undefined && end) answer.next = position(end);
  const only = query.ids?.length === 1 ? pets[0] : undefined;
  return only ? { ...answer, version: only.version } : answer;
};

export const listPets = reads(listPetsContract, (repositories: { pets: PetReads }, input) => {
  refuse(input);
  const found = read(repositories.pets, input);
  return found instanceof Promise ? found.then((rows) => show(rows, input)) : show(found, input);
});
