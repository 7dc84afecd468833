import type { PetRepositories } from './create-pet.ts';
import { addPets } from './create-pet-batch.ts';
import type { NewPet } from './pets.repository.ts';

type Deps = {
  /** Runs `body` in a transaction of the store. */
  write(body: (repositories: PetRepositories) => Promise<void>): Promise<void>;
  /** Milliseconds of a monotonic clock. */
  elapsed(): number;
};

/** Target length of a transaction, for which all other callers wait. */
const TARGET_MS = 20;
const FEWEST = 50;
const MOST = 2000;

/**
 * Adds animals from a stream of any length, with their events, in transactions small enough to serve requests in between.
 * Animals added before a failure stay. Returns how many were added, and how long the longest transaction took.
 */
export const importPets = async ({ write, elapsed }: Deps, source: AsyncIterable<NewPet> | Iterable<NewPet>) => {
  let batch: NewPet[] = [];
  let size = FEWEST;
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
    // At most half or double in one step: a single slow sync says little about the next transaction.
    const fitting = (batch.length * TARGET_MS) / tookMs;
    size = Math.round(Math.min(MOST, Math.max(FEWEST, Math.min(fitting, size * 2), size / 2)));
    batch = [];
  };

  for await (const pet of source) {
    batch.push(pet);
    if (batch.length >= size) await writeBatch();
  }
  if (batch.length > 0) await writeBatch();
  return { added, longestMs };
};
