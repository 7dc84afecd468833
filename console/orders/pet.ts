import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { Int64, Pet, Petstore } from '../../client/src/index.ts';
import { isolated } from '../kit/text.ts';
import { type PetVersion, petKey, rowKey } from '../pets/pet-cache.ts';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';

type PetRow = Pet;
type Asked = { ids: Set<Int64>; answer: Promise<ReadonlyMap<string, PetRow>> };

/** The service's maximum number of ids per request. */
const MAX_IDS = 100;

const asked = new WeakMap<Petstore, Asked>();

const askTogether = (petstore: Petstore, id: Int64): Asked['answer'] => {
  const open = asked.get(petstore);
  if (open && open.ids.size < MAX_IDS) {
    open.ids.add(id);
    return open.answer;
  }
  const ids = new Set([id]);
  const answer = new Promise((resolve) => setTimeout(resolve)).then(async () => {
    if (asked.get(petstore)?.ids === ids) asked.delete(petstore);
    const { items } = await petstore.pets.list({ ids: [...ids], limit: MAX_IDS }).page();
    return new Map(items.map((pet) => [String(pet.id), pet]));
  });
  asked.set(petstore, { ids, answer });
  return answer;
};

export const usePet = (id: Int64): PetRow | null | undefined => {
  const { petstore, can } = useSession();
  const { data } = useQuery({
    queryKey: rowKey(id),
    queryFn: async () => (await askTogether(petstore, id)).get(String(id)) ?? null,
    enabled: can('pets:read'),
    staleTime: 60_000,
  });
  return data;
};

export const keepPet = (queries: QueryClient, pet: PetRow, isGone: boolean): void => {
  queries.setQueryData<PetRow | null>(rowKey(pet.id), (kept) => (kept === undefined ? undefined : isGone ? null : pet));
};

/** Returns the pet's name for use in a message, or undefined if the pet has not been loaded. */
export const knownPetName = (queries: QueryClient, id: Int64): string | undefined => {
  const name =
    queries.getQueryData<PetRow | null>(rowKey(id))?.name ??
    queries.getQueryData<PetVersion | null>(petKey(String(id)))?.pet.name;
  return name === undefined ? undefined : isolated(name);
};

export const petTitle = (id: Int64, pet: PetRow | null | undefined): string => pet?.name ?? common.pet(id);
