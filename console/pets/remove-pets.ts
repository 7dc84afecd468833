import type { QueryClient } from '@tanstack/react-query';
import type { Pet } from '../../client/src/index.ts';
import { COUNTS } from '../data/counts.ts';
import { createValue } from '../data/value.ts';
import { withUndo } from '../kit/overlay/undo.ts';
import { brief } from '../kit/text.ts';
import type { Session } from '../session/session.ts';
import { dropPets, petKey } from './pet-cache.ts';
import { texts } from './texts.ts';

export const removing = createValue<ReadonlySet<string>>(new Set());

const hide = (id: string): void => {
  if (!removing.get().has(id)) removing.set(new Set([...removing.get(), id]));
};
const show = (id: string): void => removing.set(new Set([...removing.get()].filter((one) => one !== id)));

export const removeSoon = (session: Session, queries: QueryClient, pet: Pet, onUndo?: () => void): void => {
  const id = String(pet.id);
  withUndo(session, queries, {
    step: `delete pet ${id}`,
    text: texts.drawer.deleted(brief(pet.name)),
    undone: texts.drawer.notDeleted(brief(pet.name)),
    show: () => hide(id),
    counted: { [pet.status ?? 'available']: -1 },
    send: async (petstore) => {
      await petstore.pets.delete(pet.id);
      dropPets(queries, new Set([id]));
    },
    revert: () => {
      show(id);
      onUndo?.();
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: COUNTS });
      void queries.invalidateQueries({ queryKey: petKey(id) });
      show(id);
    },
  });
};
