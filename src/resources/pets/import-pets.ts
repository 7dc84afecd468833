import { type AddedTo, addPets } from './add-pets.ts';
import type { NewPet } from './pets.repository.ts';

type Deps = {
  /** Runs `body` in a transaction of the store that is filled. */
  write(body: (repositories: AddedTo) => Promise<void>): Promise<void>;
  /** The time in milliseconds, by a clock that is never set back. */
  elapsed(): number;
};

/** Everybody else waits while a transaction runs; this is how long one is meant to take. */
const MEANT_MS = 20;
const FEWEST = 50;
const MOST = 2000;

/**
 * Adds animals from a stream of any length, with their events, in transactions so small that requests get in between.
 * What is added before a failure stays. Returns how many were added, and the longest time that one transaction took.
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
    // Half of the way at most in one step: a single slow sync says little about the next transaction.
    const fitting = (batch.length * MEANT_MS) / tookMs;
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
