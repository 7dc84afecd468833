import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Conflict, type PetChange } from '../../../client/src/index.ts';
import { COUNTS } from '../../data/counts.ts';
import { isLost } from '../../data/notices.ts';
import { useSession } from '../../session/session.ts';
import { historyKey, type PetVersion, petKey, putPets } from '../pet-cache.ts';

export const usePetVersion = (id: string) => {
  const { petstore } = useSession();
  return useQuery({
    queryKey: petKey(id),
    queryFn: async ({ signal }): Promise<PetVersion | null> => {
      const { items, response } = await petstore.pets.list({ ids: [BigInt(id)] }, { signal }).page();
      return items[0] ? { pet: items[0], etag: response.etag } : null;
    },
  });
};

type Saving = { change: PetChange; etag: string | undefined };

/** Sends the ETag of the version on screen. The service refuses the change if the pet has a newer version. */
export const useSavePet = (id: string) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const key = petKey(id);
  const save = useMutation({
    mutationFn: ({ change, etag }: Saving) =>
      petstore.pets.update(BigInt(id), change, { ifMatch: etag }).withResponse(),
    onMutate: async ({ change }) => {
      await queries.cancelQueries({ queryKey: key });
      const before = queries.getQueryData<PetVersion | null>(key);
      const { categoryId, ...rest } = change;
      if (before && !isLost()) {
        const pet = { ...before.pet, ...rest, ...(categoryId === undefined ? {} : { categoryId }) };
        queries.setQueryData<PetVersion>(key, { ...before, pet: pet as PetVersion['pet'] });
      }
      return before;
    },
    onSuccess: ({ data, response }) => {
      queries.setQueryData<PetVersion>(key, { pet: data, etag: response.etag });
      putPets(queries, new Map([[id, data]]));
      void queries.invalidateQueries({ queryKey: historyKey(id) });
      void queries.invalidateQueries({ queryKey: COUNTS });
    },
    onError: (_error, _saving, before) => {
      queries.setQueryData(key, before);
      return queries.invalidateQueries({ queryKey: key });
    },
  });
  const refused =
    save.error instanceof Conflict && save.error.code === 'precondition_failed' ? save.variables?.change : undefined;
  return { ...save, refused };
};

export type SavePet = ReturnType<typeof useSavePet>;
