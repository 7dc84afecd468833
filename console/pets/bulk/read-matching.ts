import type { ListPetsQuery, Pet, Petstore } from '../../../client/src/index.ts';

/** Maximum number of selected pets. A change to the selected pets costs one request per pet. */
export const MAX_SELECTED = 10_000;

/** `onRead` receives the number of pets read so far. */
export const readMatching = async (
  petstore: Pick<Petstore, 'pets'>,
  query: ListPetsQuery,
  { signal, onRead }: { signal: AbortSignal; onRead: (count: number) => void },
): Promise<Pet[]> => {
  const pets: Pet[] = [];
  let page = await petstore.pets.list({ ...query, limit: 100 }, { signal }).page();
  for (;;) {
    pets.push(...page.items);
    onRead(pets.length);
    const next = pets.length < MAX_SELECTED ? await page.next() : undefined;
    if (!next) return pets.slice(0, MAX_SELECTED);
    page = next;
  }
};
