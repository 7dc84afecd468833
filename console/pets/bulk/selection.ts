import { useMemo, useRef, useState } from 'react';
import type { Pet, Petstore } from '../../../client/src/index.ts';
import { sayReadError } from '../../kit/overlay/toasts.tsx';
import { type Filters, toQuery } from '../filters.ts';
import { readMatching } from './read-matching.ts';

const byId = (pets: readonly Pet[]): ReadonlyMap<string, Pet> => new Map(pets.map((pet) => [String(pet.id), pet]));
const NONE: ReadonlyMap<string, Pet> = new Map();

export const useSelection = (petstore: Petstore, filters: Filters, rows: readonly Pet[]) => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  /** Selected pets whose rows are not loaded. */
  const [others, setOthers] = useState(NONE);
  const [readCount, setReadCount] = useState<number>();
  const reading = useRef<AbortController>(undefined);
  const selected = useMemo(() => {
    if (ids.size === 0) return [];
    const loaded = byId(rows);
    return [...ids].flatMap((id) => loaded.get(id) ?? others.get(id) ?? []);
  }, [ids, rows, others]);
  const stop = () => {
    reading.current?.abort();
    setReadCount(undefined);
  };
  const clear = () => {
    stop();
    setIds(new Set());
    setOthers(NONE);
  };
  const select = (pets: readonly Pet[]) => {
    setOthers(byId(pets));
    setIds(new Set(pets.map(({ id }) => String(id))));
  };
  const selectMatching = async () => {
    const asked = new AbortController();
    reading.current = asked;
    setReadCount(0);
    try {
      select(await readMatching(petstore, toQuery(filters), { signal: asked.signal, onRead: setReadCount }));
    } catch (error) {
      if (!asked.signal.aborted) sayReadError(error as Error);
    } finally {
      if (reading.current === asked) setReadCount(undefined);
    }
  };
  return {
    selected,
    select,
    clear,
    readCount,
    stop,
    selectMatching,
    selection: {
      ids: useMemo(() => new Set(selected.map(({ id }) => String(id))), [selected]),
      toggle: (id: string) => setIds(new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id])),
      toggleAll: () => (selected.length >= rows.length ? clear() : setIds(new Set(rows.map(({ id }) => String(id))))),
    },
  };
};
