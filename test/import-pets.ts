import type { PetRepositories } from '../src/resources/pets/create-pet.ts';
import { addPets } from '../src/resources/pets/create-pet.ts';
import type { NewPet } from '../src/resources/pets/pets.repository.ts';

type Deps = {
  write(body: (repositories: PetRepositories) => Promise<void>): Promise<void>;
  elapsed(): number;
};

/** Target duration of one transaction, in ms. Other callers wait while a transaction runs. */
const TARGET_MS = 20;
const MIN = 50;
const MAX = 2000;

export const importPets = async ({ write, elapsed }: Deps, source: AsyncIterable<NewPet> | Iterable<NewPet>) => {
  let batch: NewPet[] = [];
  let size = MIN;
  let added = 0;
  let longestMs = 0;

  const writeBatch = async (): Promise<void> => {
    let startedAt = 0;
    await write(async (repositories) => {
      startedAt = elapsed();
      await addPets(repositories, batch);
    });
    const tookMs = elapsed() - startedAt;
    longestMs = Math.max(longestMs, tookMs);
    added += batch.length;
    // Changes the batch size by at most a factor of two at a time, because a single slow sync says little about later
    // transactions.
    const fitting = (batch.length * TARGET_MS) / tookMs;
    size = Math.round(Math.min(MAX, Math.max(MIN, Math.min(fitting, size * 2), size / 2)));
    batch = [];
  };

  for await (const pet of source) {
    batch.push(pet);
    if (batch.length >= size) await writeBatch();
  }
  if (batch.length > 0) await writeBatch();
  return { added, longestMs };
};
