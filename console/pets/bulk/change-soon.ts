import type { Pet, PetChange } from '../../../client/src/index.ts';
import { withUndo } from '../../kit/overlay/undo.ts';
import type { Session } from '../../session/session.ts';
import { NEXT_STATUSES } from '../moves.ts';
import { texts } from '../texts.ts';
import { type Bulk, changeAll, putAll } from './bulk.ts';

/**
 * When the tab closes, the browser must send the requests for all pets together. It would drop some requests if there
 * were more pets than this. Larger changes need a confirmation instead.
 */
export const MAX_UNDOABLE = 100;

const changed = (pet: Pet, { status, ...rest }: PetChange): Pet => {
  const isAllowed = status !== undefined && NEXT_STATUSES[pet.status ?? 'available'].includes(status);
  return { ...pet, ...rest, ...(isAllowed ? { status } : {}) } as Pet;
};

export const changeSoon = (
  session: Session,
  { queries, pets }: Omit<Bulk, 'petstore'>,
  change: PetChange,
  to: string,
): void => {
  putAll(
    queries,
    pets.map((pet) => changed(pet, change)),
  );
  withUndo(session, {
    text: texts.bulk.changed(pets.length, to),
    send: (petstore) => {
      const isLast = petstore !== session.petstore;
      return changeAll({ petstore, queries, pets, ...(isLast ? { concurrency: pets.length } : {}) }, change, to);
    },
    revert: () => putAll(queries, pets),
  });
};
