import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Pet } from '../../client/src/index.ts';
import { COUNTS } from '../data/counts.ts';
import { type LiveEvent, useEvents } from '../data/live.ts';
import { useSession } from '../session/session.ts';
import { type Filters, fits } from './filters.ts';
import { historyKey, ordersKey, petKey, putPets } from './pet-cache.ts';
import { isImported } from './transfer/own-import.ts';

const FLASH_MS = 1500;
const COUNT_MS = 5000;
export const MAX_FRESH = 1000;

const NONE: ReadonlySet<string> = new Set();
const TYPES = ['pet.created', 'pet.updated', 'pet.status_changed', 'pet.deleted'] as const;

const join = (ids: ReadonlySet<string>, more: Iterable<string>): ReadonlySet<string> => {
  const all = new Set(ids);
  for (const id of more) if (all.size <= MAX_FRESH) all.add(id);
  return all;
};

const useThrottled = (act: () => void, spanMs: number): (() => void) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      act();
    }, spanMs);
  };
};

export const useLivePets = (filters: Filters) => {
  const { me } = useSession();
  const queries = useQueryClient();
  const heard = useRef<LiveEvent[]>([]);
  const [fresh, setFresh] = useState(NONE);
  const [gone, setGone] = useState(NONE);
  const [changed, setChanged] = useState(NONE);

  const count = useThrottled(() => void queries.invalidateQueries({ queryKey: COUNTS }), COUNT_MS);
  const calm = useThrottled(() => setChanged(NONE), FLASH_MS);
  // Adding a batch of 1,000 pets creates 1,000 events, so events are collected and applied together.
  const apply = useThrottled(() => {
    const events = heard.current.map(({ type, data, actor }) => ({
      type,
      pet: data.object as Pet,
      isByMe: actor?.keyId === me.id,
    }));
    heard.current = [];
    const idsOf = (...types: string[]) =>
      events.filter(({ type }) => types.includes(type)).map(({ pet }) => String(pet.id));
    const moved = idsOf('pet.updated', 'pet.status_changed');
    putPets(
      queries,
      new Map(events.filter(({ type }) => type !== 'pet.deleted').map(({ pet }) => [String(pet.id), pet])),
    );
    for (const id of new Set([...moved, ...idsOf('pet.deleted')])) {
      for (const queryKey of [petKey(id), historyKey(id), ordersKey(id)]) void queries.invalidateQueries({ queryKey });
    }
    // Leaves out pets from this tab's own import, because the page shows them automatically.
    const added = events.filter(
      ({ type, pet, isByMe }) => type === 'pet.created' && fits(pet, filters) && !(isByMe && isImported(pet.id)),
    );
    setFresh((old) =>
      join(
        old,
        added.map(({ pet }) => String(pet.id)),
      ),
    );
    setGone((old) => join(old, idsOf('pet.deleted')));
    setChanged((old) => join(old, moved));
    calm();
    count();
  }, 50);
  useEvents(TYPES, (event) => {
    heard.current.push(event);
    apply();
  });
  return { fresh, gone, changed };
};
