import { useSyncExternalStore } from 'react';

export type Value<Type> = { get(): Type; set(next: Type): void; subscribe(changed: () => void): () => void };

export const createValue = <Type>(first: Type): Value<Type> => {
  let current = first;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (next) => {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
};

export const useValue = <Type>({ get, subscribe }: Value<Type>): Type => useSyncExternalStore(subscribe, get);
