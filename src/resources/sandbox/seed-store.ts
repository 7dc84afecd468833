import type { OrderRepositories } from '../orders/orders.repository.ts';
import { type PetStatus, toPetBody } from '../pets/pet.ts';
import type { PetRepository } from '../pets/pets.repository.ts';
import { FIRST_CATEGORIES } from '../stores/stores.repository.ts';

const NAMES: Record<(typeof FIRST_CATEGORIES)[number], readonly string[]> = {
  Dogs: ['Rex', 'Bella', 'Captain Biscuit', 'Łatek', 'Moose', 'Nala', 'Ziggy', 'Frau Müller', 'Pip', 'Bruno'],
  Cats: ['Tom', 'Luna', 'Miso', 'Señor Whiskers', 'Olive', 'Smokey', 'Ада', 'Pickle', 'Jinx', 'Duchess'],
  Birds: ['Kiwi', 'Polly', 'Blue', 'Mango', 'Sunny', 'Echo', '小鳥', 'Quill', 'Rio', 'Pepper'],
  Fish: ['Bubbles', 'Finn', 'Coral', 'Neptune', 'Wanda', 'Goldie', 'Splash', 'Marlin', 'Pearl', 'Inky'],
  Reptiles: ['Rango', 'Spike', 'Shelly', 'Iggy', 'Draco', 'Sly', 'Mosaic', 'Basil', 'Yoshi', 'Terra'],
  'Small mammals': ['Hazel', 'Nibbles', 'Peanut', 'Clover', 'Gizmo', 'Thumper', 'Truffle', 'Dot', 'Oreo 🐹', 'Fern'],
};

export type Sample = {
  name: string;
  categoryId: bigint;
  status: PetStatus;
  order?: 'approved' | 'delivered' | 'cancelled';
};

const PATTERN: readonly Omit<Sample, 'name' | 'categoryId'>[] = [
  { status: 'available' },
  { status: 'available', order: 'cancelled' },
  { status: 'available' },
  { status: 'pending', order: 'approved' },
  { status: 'available' },
  { status: 'sold', order: 'delivered' },
  { status: 'available' },
  { status: 'pending', order: 'approved' },
  { status: 'available' },
  { status: 'sold', order: 'delivered' },
];

/** Every sandbox has the same sample pets, so that examples and tests can rely on them. @internal */
export const SAMPLES: readonly Sample[] = FIRST_CATEGORIES.flatMap((category, index) =>
  PATTERN.map((pattern, at) => ({ ...pattern, name: NAMES[category][at] as string, categoryId: BigInt(index + 1) })),
);

export type SeedRepositories = OrderRepositories & { pets: PetRepository };

export const seedStore = async (repositories: SeedRepositories, keyId: string): Promise<void> => {
  const now = repositories.now();
  for (const { order: status, ...sample } of SAMPLES) {
    const pet = await repositories.pets.insert(sample);
    await repositories.events.append({ type: 'pet.created', object: toPetBody(pet), petId: pet.id });
    if (status === undefined) continue;
    const times = { placedAt: now, updatedAt: now, expiresAt: null };
    const order = await repositories.orders.insert({ petId: pet.id, status, placedByKeyId: keyId, ...times });
    if (status === 'approved') await repositories.pets.update(pet, { heldByOrderId: order.id });
  }
};
