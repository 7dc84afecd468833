import type { Client } from '../commands/connection.ts';
import { BATCH_ROWS, type Judged, type PetRow, toPet } from '../rows/pet-rows.ts';
import { placeOf } from '../rows/text-chunks.ts';
import { judgePets, type Source } from './check-pets.ts';

type Batch = { pets: PetRow[]; places: string[] };

/** The batches depend only on the file's content, so that a repeated import sends the same batches. */
async function* toBatches(judged: AsyncIterable<Judged[]>, reject: (bad: Judged) => void): AsyncGenerator<Batch, void> {
  let batch: Batch = { pets: [], places: [] };
  for await (const some of judged) {
    for (const one of some) {
      if (one.faults.length > 0) {
        reject(one);
        continue;
      }
      if (batch.pets.length === BATCH_ROWS) {
        yield batch;
        batch = { pets: [], places: [] };
      }
      batch.pets.push(toPet(one.row.value));
      batch.places.push(placeOf(one.row));
    }
  }
  if (batch.pets.length > 0) yield batch;
}

export type Sent = { added: number; before: number };

export class BatchRefused extends Error {
  readonly places: readonly string[];

  constructor(cause: unknown, places: readonly string[]) {
    super('a batch was refused', { cause });
    this.places = places;
  }
}

type Options = {
  client: Client;
  name: string;
  reject(bad: Judged): void;
  done(rows: number): void;
};

/** With two batches in progress, the service receives the next batch while it adds the pets of the current one. */
const BATCHES_AT_A_TIME = 2;

// The pets' ids normally follow the order of the rows. If a batch is retried, the pets of the next batch may be added
// first and get lower ids.
export const sendPets = async (source: Source, { client, name, reject, done }: Options): Promise<Sent> => {
  const sent: Sent = { added: 0, before: 0 };
  let number = 0;
  const sending: Promise<void>[] = [];

  const send = async ({ pets, places }: Batch, idempotencyKey: string): Promise<void> => {
    const request = { method: 'POST' as const, path: '/pets/batch', body: { pets }, idempotencyKey };
    try {
      const { response } = await client.request(request).withResponse();
      sent[response.replayed ? 'before' : 'added'] += pets.length;
      done(sent.added + sent.before);
    } catch (error) {
      throw new BatchRefused(error, places);
    }
  };
  try {
    for await (const batch of toBatches(judgePets(source), reject)) {
      if (sending.length === BATCHES_AT_A_TIME) await sending.shift();
      number += 1;
      sending.push(send(batch, `import-${name}-${number}`));
      // Prevents an "unhandled rejection" while the next batch is read. A later `await` throws the error.
      sending.at(-1)?.catch(() => undefined);
    }
    await Promise.all(sending);
  } finally {
    // After a failure, waits for the other batches, because the error message says how many pets were added.
    await Promise.allSettled(sending);
  }
  return sent;
};
