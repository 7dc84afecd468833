import type { EventLog } from '../../kernel/event.ts';
import type { CategoryRepository } from '../categories/categories.repository.ts';
import { toPetBody } from './pet.ts';
import type { NewPet, PetRepository } from './pets.repository.ts';

export type AddedTo = { pets: PetRepository; categories: CategoryRepository; events: EventLog };

/** Adds animals with their categories and events, and returns them as they may be shown. */
export const addPets = async ({ pets, categories, events }: AddedTo, given: readonly NewPet[]) => {
  await categories.recordMany(new Set(given.map(({ categoryId }) => categoryId)));
  const added = await pets.insertMany(given);
  const shown = added.map(toPetBody);
  await events.appendMany(
    added.map(({ id }, index) => ({ type: 'pet.created', object: shown[index] as (typeof shown)[0], petId: id })),
  );
  return shown;
};
