import type { Int64, Pet } from '../../../client/src/index.ts';
import { createValue } from '../../data/value.ts';

let [isRunning, isShown] = [false, false];
/** The lowest and the highest id of the pets that this tab's imports have added. The ids of new pets only increase. */
let ids: { first: Int64; last: Int64 } | undefined;

/** Increases when the lists must be reloaded to show the imported pets: after the first batch, and after the import. */
export const importSteps = createValue(0);

const step = (): void => importSteps.set(importSteps.get() + 1);

export const beginImport = (): void => {
  [isRunning, isShown] = [true, false];
};

export const noteImported = (pets: readonly Pick<Pet, 'id'>[]): void => {
  for (const { id } of pets) {
    ids = { first: ids && ids.first < id ? ids.first : id, last: ids && ids.last > id ? ids.last : id };
  }
  if (!isShown) step();
  isShown = true;
};

export const endImport = (): void => {
  isRunning = false;
  step();
};

/** A pet's event may arrive before the response that contains its id, or after the import has ended. */
export const isImported = (id: Int64): boolean => isRunning || (ids !== undefined && id >= ids.first && id <= ids.last);
