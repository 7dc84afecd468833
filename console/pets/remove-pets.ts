import type { QueryClient } from '@tanstack/react-query';
import { type Pet, Petstore } from '../../client/src/index.ts';
import { COUNTS } from '../data/counts.ts';
import { createValue } from '../data/value.ts';
import { isolated } from '../kit/text.ts';
import { say, sayError, UNDO_MS } from '../kit/toasts.tsx';
import { API_URL, type Session } from '../session/session.ts';
import { dropPets, petKey } from './pet-cache.ts';
import { texts } from './texts.ts';

export const removing = createValue<ReadonlySet<string>>(new Set());

const hide = (id: string): void => removing.set(new Set([...removing.get(), id]));
const show = (id: string): void => removing.set(new Set([...removing.get()].filter((one) => one !== id)));

/** `keepalive` lets the request finish after the page is closed. */
const connectLast = (secret: string): Petstore =>
  new Petstore({
    key: secret,
    baseUrl: API_URL,
    retries: 0,
    fetch: (url, init) => fetch(url, { ...init, keepalive: true }),
  });

export const removeSoon = ({ petstore, secret }: Session, queries: QueryClient, pet: Pet): void => {
  const id = String(pet.id);
  hide(id);
  const forget = () => {
    clearTimeout(timer);
    removeEventListener('pagehide', removeLast);
  };
  const remove = async () => {
    forget();
    try {
      await petstore.pets.delete(pet.id);
      dropPets(queries, new Set([id]));
      void queries.invalidateQueries({ queryKey: COUNTS });
      void queries.invalidateQueries({ queryKey: petKey(id) });
    } catch (error) {
      sayError(error as Error);
    }
    show(id);
  };
  const removeLast = () =>
    void connectLast(secret)
      .pets.delete(pet.id)
      .catch(() => undefined);
  const timer = setTimeout(remove, UNDO_MS);
  addEventListener('pagehide', removeLast);
  say(texts.drawer.deleted(isolated(pet.name)), {
    action: {
      label: texts.drawer.undo,
      run: () => {
        forget();
        show(id);
      },
    },
  });
};
