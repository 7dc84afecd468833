import type { QueryClient } from '@tanstack/react-query';
import { spreadsheetField } from '../../../cli/rows/csv-field.ts';
import type { Pet, PetChange, Petstore } from '../../../client/src/index.ts';
import { COUNTS } from '../../data/counts.ts';
import { changePets, dropPets, PETS, putPets } from '../pet-cache.ts';
import { texts } from '../texts.ts';
import { forEach, startTask, type Task, type TaskFailure } from './tasks.ts';

export type Bulk = {
  petstore: Petstore;
  queries: QueryClient;
  pets: readonly Pet[];
  concurrency?: number;
  isQuiet?: boolean;
};

const failedFile = (failed: readonly TaskFailure[]) => ({
  name: 'rejected.csv',
  text: `${texts.bulk.rejectedHeading}\n${failed.map(({ what, reason }) => `${spreadsheetField(what)},${spreadsheetField(reason)}\n`).join('')}`,
});

const what = ({ id, name }: Pet): string => `${name} (${id})`;

/** A pet may have changed since it was selected, so pets are read again if a request failed. */
const refresh =
  (queries: QueryClient) =>
  (task: Task): Task => {
    const stale = task.failed.length > 0 ? [COUNTS, PETS] : [COUNTS];
    for (const queryKey of stale) void queries.invalidateQueries({ queryKey });
    return task;
  };

const putAll = (queries: QueryClient, pets: readonly Pet[]): void =>
  putPets(queries, new Map(pets.map((pet) => [String(pet.id), pet])));

/** Sends one request per pet, so that a refused change does not affect the other pets. */
export const changeAll = (
  { petstore, queries, pets, concurrency, isQuiet = false }: Bulk,
  change: PetChange,
  to: string,
): Promise<Task> => {
  const title = texts.bulk.set(pets.length, to);
  return startTask({ title, verb: texts.bulk.updated, total: pets.length, failedFile, isQuiet }, (progress) =>
    forEach(pets, progress, {
      what,
      ...(concurrency ? { concurrency } : {}),
      act: async (pet) => {
        try {
          putAll(queries, [await petstore.pets.update(pet.id, change, { signal: progress.signal })]);
        } catch (error) {
          changePets(queries, new Set([String(pet.id)]), () => pet);
          throw error;
        }
      },
    }),
  ).then(refresh(queries));
};

export const removeAll = ({ petstore, queries, pets }: Bulk): Promise<Task> => {
  const title = texts.bulk.delete(pets.length);
  return startTask({ title, verb: texts.bulk.deleted, total: pets.length, failedFile }, (progress) =>
    forEach(pets, progress, {
      what,
      act: async ({ id }) => {
        await petstore.pets.delete(id, { signal: progress.signal });
        dropPets(queries, new Set([String(id)]));
      },
    }),
  ).then(refresh(queries));
};
