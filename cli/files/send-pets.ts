import type { Client } from '../commands/connection.ts';
import { type Judged, judgePets, type Source } from './check-pets.ts';

type Animal = { name: string; categoryId: number | bigint; status?: string };

/** The service takes a thousand at once; whoever else writes waits for a batch, and half as long for half as many. */
const BATCH_ROWS = 500;
/** The service takes 1 MiB at once. */
const BATCH_BYTES = 1_000_000;

/** No row is longer in JSON: a character may be written with six. */
const mostBytes = ({ name }: Animal): number => name.length * 6 + 100;

/** The animals as they are sent together, and the lines they stand on. */
type Batch = { animals: Animal[]; lines: number[] };

/** The good rows of a file in batches. Which rows are in which batch follows from the file alone. */
async function* toBatches(judged: AsyncIterable<Judged[]>, reject: (bad: Judged) => void): AsyncGenerator<Batch, void> {
  let batch: Batch = { animals: [], lines: [] };
  let bytes = 0;
  for await (const some of judged) {
    for (const one of some) {
      if (one.faults.length > 0) {
        reject(one);
        continue;
      }
      const { name, categoryId, status } = one.row.value as Animal;
      const animal = { name, categoryId, ...(status === undefined ? {} : { status }) };
      const more = mostBytes(animal);
      if (batch.animals.length === BATCH_ROWS || bytes + more > BATCH_BYTES) {
        yield batch;
        [batch, bytes] = [{ animals: [], lines: [] }, 0];
      }
      batch.animals.push(animal);
      batch.lines.push(one.row.line);
      bytes += more;
    }
  }
  if (batch.animals.length > 0) yield batch;
}

export type Sent = { added: number; before: number };

/** A batch that was refused, or whose answer never came. */
export class BatchRefused extends Error {
  readonly lines: readonly number[];

  constructor(cause: unknown, lines: readonly number[]) {
    super('a batch was refused', { cause });
    this.lines = lines;
  }
}

type Options = {
  client: Client;
  /** Names the import: a batch of it that has been added is not added again. */
  name: string;
  reject(bad: Judged): void;
  /** Is told how many rows are done. */
  done(rows: number): void;
};

/**
 * Sends the good rows of a file, one batch after another, so that ids rise as the rows do. While the service works on one
 * the next is read.
 */
export const sendPets = async (source: Source, { client, name, reject, done }: Options): Promise<Sent> => {
  const sent: Sent = { added: 0, before: 0 };
  let number = 0;
  let sending: Promise<void> = Promise.resolve();

  const send = async ({ animals, lines }: Batch, idempotencyKey: string): Promise<void> => {
    const request = { method: 'POST' as const, path: '/pets/batch', body: { pets: animals }, idempotencyKey };
    try {
      const { response } = await client.request(request).withResponse();
      sent[response.replayed ? 'before' : 'added'] += animals.length;
      done(sent.added + sent.before);
    } catch (error) {
      throw new BatchRefused(error, lines);
    }
  };
  for await (const batch of toBatches(judgePets(source), reject)) {
    await sending;
    number += 1;
    sending = send(batch, `import-${name}-${number}`);
    // Whoever waits for it is told of its failure.
    sending.catch(() => undefined);
  }
  await sending;
  return sent;
};
