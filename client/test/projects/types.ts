import { type Int64, type Pet, type PetStatus, Petstore } from 'petstore-client';

const petstore = new Petstore({ key: 'k', baseUrl: 'https://pets.example' });
const exact = new Petstore({ key: 'k', baseUrl: 'https://pets.example', bigint: true });

/** Promises of the types: marked lines must not compile, all others must. */
export const promises = async (): Promise<void> => {
  const pet: Pet = await petstore.pets.create({ name: 'Rex', categoryId: 1n, status: undefined });
  const id: number = pet.id;
  const status: PetStatus | undefined = pet.status;
  const wide: Int64 = (await exact.pets.create({ name: 'Rex', categoryId: 1 })).categoryId;
  // @ts-expect-error An integer that may be a bigint is not a number.
  const narrow: number = (await exact.pets.create({ name: 'Rex', categoryId: 1 })).categoryId;
  // @ts-expect-error A name is required.
  await petstore.pets.create({ categoryId: 1 });
  // @ts-expect-error There is no such status.
  petstore.pets.list({ status: 'gone' });
  // @ts-expect-error Orders have no version to guard.
  await petstore.orders.approve(1, { ifMatch: '"1"' });
  await petstore.pets.update(id, { name: 'Rex' }, { ifMatch: '"1"' });
  const minute: number | undefined = petstore.limits?.windows.minute?.remaining;
  const names: string[] = (await petstore.categories.list().toArray()).map(({ name }) => name ?? '');
  for await (const event of petstore.events.stream({ types: ['order.delivered'] })) {
    const type: 'order.delivered' = event.type;
    console.log(type);
  }
  console.log(status, wide, narrow, minute, names);
};
