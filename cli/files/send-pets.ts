import type { Client } from '../commands/connection.ts';
import { BATCH_ROWS, type Judged, type PetRow, toPet } from '../rows/pet-rows.ts';
import { placeOf } from '../rows/text-chunks.ts';
import { judgePets, type Source } from './check-pets.ts';

/** The service accepts 1 MiB per request. */
const BATCH_BYTES = 1_000_000;

/** Upper bound of a row's size in JSON, because a character may take six bytes. */
const maxBytes = ({ name }: PetRow): number => name.length * 6 + 100;

/** The pets in one request, and their places in the file. */
type Batch = { pets: PetRow[]; places: string[] };

/** Groups valid rows into batches. The grouping depends only on the file, so that retries repeat the same batches. */
async function* toBatches(judged: AsyncIterable<Judged[]>, reject: (bad: Judged) => void): AsyncGenerator<Batch, void> {
  let batch: Batch = { pets: [], places: [] };
  let bytes = 0;
  for await (const some of judged) {
    for (const one of some) {
      if (one.faults.length > 0) {
        reject(one);
        continue;
      }
      const pet = toPet(one.row.value);
      const more = maxBytes(pet);
      if (batch.pets.length === BATCH_ROWS || bytes + more > BATCH_BYTES) {
        yield batch;
        [batch, bytes] = [{ pets: [], places: [] }, 0];
      }
      batch.pets.push(pet);
      batch.places.push(placeOf(one.row));
      bytes += more;
    }
  }
  if (batch.pets.length > 0) yield batch;
}

export type Sent = { added: number; before: number };

/** A batch that was refused or got no reply. */
export class BatchRefused extends Error {
  readonly places: readonly string[];

  constructor(cause: unknown, places: readonly string[]) {
    super('a batch was refused', { cause });
    this.places = places;
  }
}

type Options = {
  client: Client;
  /** Identifies the import, so that a batch that was already added is not added again. */
  name: string;
  reject(bad: Judged): void;
  /** Reports the number of finished rows. */
  done(rows: number): void;
};

/**
 * Sends the valid rows in sequential batches, so that ids follow the order of the rows. Reads the next batch while one
 * is in flight.
 */
export const sendPets = async (source: Source, { client, name, reject, done }: Options): Promise<Sent> => {
  const sent: Sent = { added: 0, before: 0 };
  let number = 0;
  let sending: Promise<void> = Promise.resolve();

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
  for await (const batch of toBatches(judgePets(source), reject)) {
    await sending;
    number += 1;
    sending = send(batch, `import-${name}-${number}`);
    // The next `await sending` reports the failure.
    sending.catch(() => undefined);
  }
  await sending;
  return sent;
};
