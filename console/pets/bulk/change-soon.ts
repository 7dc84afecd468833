import type { Pet, PetChange } from '../../../client/src/index.ts';
import { CATEGORIES } from '../../categories/categories.tsx';
import { keepMoved } from '../../categories/moved-pets.ts';
import type { CountChange } from '../../data/counts.ts';
import { say } from '../../kit/overlay/toasts.tsx';
import { withUndo } from '../../kit/overlay/undo.ts';
import { isolated } from '../../kit/text.ts';
import type { Session } from '../../session/session.ts';
import { NEXT_STATUSES } from '../moves.ts';
import { changePets } from '../pet-cache.ts';
import { texts } from '../texts.ts';
import { type Bulk, changeAll } from './bulk.ts';
import type { Task } from './tasks.ts';

/**
 * Maximum number of pets in a change that the user can undo. If the tab is closed, the browser has to send the requests
 * for all pets at the same time. If there were more than this many requests, the browser would drop some of them.
 * Larger changes require confirmation instead.
 */
export const MAX_UNDOABLE = 100;

const changed = (pet: Pet, { status, ...rest }: PetChange): Pet => {
  const isAllowed = status !== undefined && NEXT_STATUSES[pet.status ?? 'available'].includes(status);
  return { ...pet, ...rest, ...(isAllowed ? { status } : {}) } as Pet;
};

const countChange = (pets: readonly Pet[], change: PetChange): CountChange => {
  const counts: CountChange = {};
  for (const pet of pets) {
    const [from, to] = [pet.status ?? 'available', changed(pet, change).status ?? 'available'];
    counts[from] = (counts[from] ?? 0) - 1;
    counts[to] = (counts[to] ?? 0) + 1;
  }
  return counts;
};

/** Shows that changes were refused. `TaskCards` lists them on the Pets page, but the user may have left it. */
export const sayRefused = ({ title, failed }: Task): void => {
  const [first] = failed;
  if (!first) return;
  say(texts.bulk.refused(failed.length, title, `${isolated(first.what)}: ${first.reason}`), { isError: true });
};

export const changeSoon = (
  session: Session,
  { queries, pets }: Omit<Bulk, 'petstore'>,
  change: PetChange,
  to: string,
  leftOut: string,
  onUndo: () => void,
): void => {
  const before = new Map(pets.map((pet) => [String(pet.id), pet]));
  const ids = new Set(before.keys());
  let isSending = false;
  const endMoved = change.categoryId === undefined ? undefined : keepMoved(pets, change.categoryId);
  withUndo(session, queries, {
    step: `set pets ${[...ids].join()} to ${to}`,
    text: `${texts.bulk.changed(pets.length, to)} ${leftOut}`.trim(),
    undone: texts.bulk.notChanged(pets.length, to),
    // Does nothing once `send` has started. From then on, the list shows the service's response for each pet, which
    // may be a refusal.
    show: () => {
      if (!isSending) changePets(queries, ids, (pet) => changed(pet, change));
    },
    counted: countChange(pets, change),
    send: (petstore) => {
      isSending = true;
      endMoved?.();
      const isLast = petstore !== session.petstore;
      return changeAll(
        { petstore, queries, pets, isQuiet: true, ...(isLast ? { concurrency: pets.length } : {}) },
        change,
        to,
      ).then(sayRefused);
    },
    revert: () => {
      endMoved?.();
      changePets(queries, ids, (pet) => before.get(String(pet.id)) ?? pet);
      onUndo();
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: CATEGORIES }),
  });
};
