import type { QueryClient } from '@tanstack/react-query';
import { spreadsheetField } from '../../cli/rows/csv.ts';
import type { Pet, PetChange, Petstore } from '../../client/src/index.ts';
import { COUNTS } from '../data/counts.ts';
import { dropPets, putPets } from './pet-cache.ts';
import { forEach, startTask, type TaskFailure } from './tasks.ts';
import { texts } from './texts.ts';

type Bulk = {
  petstore: Petstore;
  queries: QueryClient;
  pets: readonly Pet[];
};

const failedFile = (failed: readonly TaskFailure[]) => ({
  name: 'rejected.csv',
  text: `${texts.bulk.rejectedHeading}\n${failed.map(({ what, reason }) => `${spreadsheetField(what)},${spreadsheetField(reason)}\n`).join('')}`,
});

const what = ({ id, name }: Pet): string => `${name} (${id})`;

const refreshCounts = (queries: QueryClient) => () => void queries.invalidateQueries({ queryKey: COUNTS });

/** Sends one request per pet, so that a refused change does not affect the other pets. */
export const changeAll = ({ petstore, queries, pets }: Bulk, change: PetChange, to: string): void => {
  const title = texts.bulk.set(pets.length, to);
  void startTask({ title, verb: texts.bulk.updated, total: pets.length, failedFile }, (progress) =>
    forEach(pets, progress, {
      what,
      act: async ({ id }) => {
        const pet = await petstore.pets.update(id, change, { signal: progress.signal });
        putPets(queries, new Map([[String(id), pet]]));
      },
    }),
  ).then(refreshCounts(queries));
};

export const removeAll = ({ petstore, queries, pets }: Bulk): void => {
  const title = texts.bulk.delete(pets.length);
  void startTask({ title, verb: texts.bulk.deleted, total: pets.length, failedFile }, (progress) =>
    forEach(pets, progress, {
      what,
      act: async ({ id }) => {
        await petstore.pets.delete(id, { signal: progress.signal });
        dropPets(queries, new Set([String(id)]));
      },
    }),
  ).then(refreshCounts(queries));
};
