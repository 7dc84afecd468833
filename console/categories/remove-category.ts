import type { QueryClient } from '@tanstack/react-query';
import type { Category } from '../../client/src/index.ts';
import { createValue } from '../data/value.ts';
import { withUndo } from '../kit/overlay/undo.ts';
import type { Session } from '../session/session.ts';
import { CATEGORIES } from './categories.tsx';
import { shownName, texts } from './texts.ts';

export const removing = createValue<ReadonlySet<string>>(new Set());

export const removeSoon = (session: Session, queries: QueryClient, category: Category): void => {
  const id = String(category.id);
  const show = () => removing.set(new Set([...removing.get()].filter((one) => one !== id)));
  withUndo(session, queries, {
    step: `delete category ${id}`,
    text: texts.deleted(shownName(category)),
    undone: texts.notDeleted(shownName(category)),
    show: () => {
      if (!removing.get().has(id)) removing.set(new Set([...removing.get(), id]));
    },
    send: (petstore) => petstore.categories.delete(category.id),
    revert: show,
    onSettled: () => void queries.invalidateQueries({ queryKey: CATEGORIES }).then(show),
  });
};
