import { FIRST_CATEGORIES } from '../stores/store.ts';

/** Ten names for each of the first categories. */
const NAMES: Record<(typeof FIRST_CATEGORIES)[number], readonly string[]> = {
  Dogs: ['Rex', 'Bella', 'Captain Biscuit', 'Łatek', 'Moose', 'Nala', 'Ziggy', 'Frau Müller', 'Pip', 'Bruno'],
  Cats: ['Tom', 'Luna', 'Miso', 'Señor Whiskers', 'Olive', 'Smokey', 'Ада', 'Pickle', 'Jinx', 'Duchess'],
  Birds: ['Kiwi', 'Polly', 'Blue', 'Mango', 'Sunny', 'Echo', '小鳥', 'Quill', 'Rio', 'Pepper'],
  Fish: ['Bubbles', 'Finn', 'Coral', 'Neptune', 'Wanda', 'Goldie', 'Splash', 'Marlin', 'Pearl', 'Inky'],
  Reptiles: ['Rango', 'Spike', 'Shelly', 'Iggy', 'Draco', 'Sly', 'Mosaic', 'Basil', 'Yoshi', 'Terra'],
  'Small mammals': ['Hazel', 'Nibbles', 'Peanut', 'Clover', 'Gizmo', 'Thumper', 'Truffle', 'Dot', 'Oreo 🐹', 'Fern'],
};

/** What stands behind an animal: nothing, or an order in the state that gave it its status. */
type SampleOrder = 'approved' | 'delivered' | 'cancelled';

export type Sample = {
  name: string;
  categoryId: bigint;
  status: 'available' | 'pending' | 'sold';
  order?: SampleOrder;
};

/** In every category the same pattern: most animals can be bought, some are held or sold, with and without an order. */
const PATTERN: readonly Omit<Sample, 'name' | 'categoryId'>[] = [
  { status: 'available' },
  { status: 'available', order: 'cancelled' },
  { status: 'available' },
  { status: 'pending', order: 'approved' },
  { status: 'available' },
  { status: 'sold', order: 'delivered' },
  { status: 'available' },
  { status: 'pending' },
  { status: 'available' },
  { status: 'sold' },
];

/** Sixty animals: the same ones in every sandbox, so that examples and tests can count on them. */
export const SAMPLES: readonly Sample[] = FIRST_CATEGORIES.flatMap((category, index) =>
  PATTERN.map((pattern, at) => ({ ...pattern, name: NAMES[category][at] as string, categoryId: BigInt(index + 1) })),
);
