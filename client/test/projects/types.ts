import { type Event, type Int64, type Pet, type PetStatus, Petstore } from 'petstore-client';

const petstore = new Petstore({ key: 'k', baseUrl: 'https://pets.example' });

/** Tests the types: the lines marked with `@ts-expect-error` must not compile, and all other lines must. */
export const promises = async (): Promise<void> => {
  const pet: Pet = await petstore.pets.create({ name: 'Rex', categoryId: 1n, status: undefined });
  const id: number = pet.id;
  const status: PetStatus | undefined = pet.status;
  const wide: Int64 = pet.categoryId;
  // @ts-expect-error Callers choose a pet's category id, so it may be a bigint.
  const narrow: number = pet.categoryId;
  // @ts-expect-error The category's own id may be a bigint for the same reason.
  const category: number = (await petstore.categories.get(1)).id;
  const total: number = (await petstore.store.inventory()).available + 1;
  const newestFirst = (a: Event, b: Event): number => b.sequence - a.sequence;
  // @ts-expect-error A name is required.
  await petstore.pets.create({ categoryId: 1 });
  // @ts-expect-error `gone` is not a status.
  petstore.pets.list({ status: 'gone' });
  // @ts-expect-error Orders have no version, so `ifMatch` is not allowed.
  await petstore.orders.approve(1, { ifMatch: '"1"' });
  await petstore.pets.update(id, { name: 'Rex' }, { ifMatch: '"1"' });
  const minute: number | undefined = petstore.limits?.windows.minute?.remaining;
  const names: string[] = (await petstore.categories.list().toArray()).map(({ name }) => name ?? '');
  for await (const event of petstore.events.stream({ types: ['order.delivered'] })) {
    const type: 'order.delivered' = event.type;
    console.log(type);
  }
  console.log(status, wide, narrow, category, total, newestFirst, minute, names);
};
