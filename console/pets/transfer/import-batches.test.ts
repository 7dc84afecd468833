import { describe, expect, test } from 'bun:test';
import { type FieldError, Invalid, type NewPet } from '../../../client/src/index.ts';
import type { TaskProgress } from '../bulk/tasks.ts';
import { texts } from '../texts.ts';
import { type ImportBatch, type ImportState, sendRest, toBatches } from './import-batches.ts';

const row = (line: number, name = `Pet ${line}`) => ({
  place: `line ${line}`,
  text: `${name},7`,
  pet: { name, categoryId: 7 } as NewPet,
  faults: [],
});

describe('batches', () => {
  test('have at most 500 rows, in order, without invalid rows', () => {
    const rows = Array.from({ length: 1001 }, (_, index) => row(index + 2));
    const invalid = { place: 'line 1', text: ',7', faults: ['name is required'] };
    const batches = toBatches([invalid, ...rows]);
    expect(batches.map(({ pets }) => pets.length)).toEqual([500, 500, 1]);
    expect(batches.flatMap((batch) => batch.rows.map(({ place }) => place))).toEqual(rows.map(({ place }) => place));
  });

  test('fit in a request, even if a character takes six bytes', () => {
    const rows = Array.from({ length: 1000 }, (_, index) => row(index, '\u0001'.repeat(255)));
    const batches = toBatches(rows);
    const sizes = batches.map(({ pets }) => Buffer.byteLength(JSON.stringify({ pets })));
    expect(sizes).toHaveLength(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024);
    expect(batches.flatMap(({ pets }) => pets)).toHaveLength(1000);
  });
});

const create = (answer: (names: string[], round: number) => FieldError[] | Error | undefined) => {
  const stopped = new AbortController();
  const batches = [toBatches([row(2), row(3), row(4)]), toBatches([row(5)])].flat() as ImportBatch[];
  const file = { file: 'pets.csv', contents: '1 2 3', heading: 'name,categoryId', total: 4 };
  const record = { id: 'abc', startedAt: 0, keyId: 'key_1', ...file, batches: 2, added: 0, next: 0 };
  const state: ImportState = { record, refused: [] };
  const [keys, kept, added]: [string[], number[], number[]] = [[], [], []];
  const written: number[] = [];
  const imported: string[][] = [];
  const petstore = {
    pets: {
      createBatch: async ({ pets }: { pets: NewPet[] }, { idempotencyKey = '' }) => {
        keys.push(idempotencyKey);
        const found = answer(
          pets.map(({ name }) => name),
          keys.length,
        );
        if (found instanceof Error) throw found;
        if (found) throw new Invalid('refused', { code: 'invalid_request', status: 400, fields: found });
        return pets.map((pet, index) => ({ ...pet, id: index }));
      },
    },
  } as unknown as Parameters<typeof sendRest>[0];
  const place = {
    readBatch: async (_: object, number: number) => batches[number],
    writeRefused: async (_: object, rows: readonly object[]) => void written.push(rows.length),
    keepImport: ({ next }: { next: number }) => void kept.push(next),
    noteImported: (pets: readonly { name: string }[]) => void imported.push(pets.map(({ name }) => name)),
  };
  const progress: TaskProgress = { signal: stopped.signal, add: (done) => void added.push(done) };
  const run = () => sendRest(petstore, state, place, progress);
  return { run, state, keys, kept, added, written, imported, batches, stop: () => stopped.abort() };
};

describe('an import', () => {
  test('sends every batch once, and saves its progress after each', async () => {
    const { run, state, keys, kept, added } = create(() => undefined);
    await run();
    expect([keys, kept, added]).toEqual([
      ['import-abc-0-0', 'import-abc-1-0'],
      [1, 2],
      [3, 1],
    ]);
    expect(state.record).toMatchObject({ added: 4, next: 2 });
  });

  test('repeats the same idempotency key after a lost response', async () => {
    const { run, state, keys } = create((_, round) => (round === 2 ? new Error('lost') : undefined));
    expect(await run().catch(({ message }: Error) => message)).toBe('lost');
    expect(state.record).toMatchObject({ added: 3, next: 1 });
    await run();
    expect(keys).toEqual(['import-abc-0-0', 'import-abc-1-0', 'import-abc-1-0']);
    expect(state.record).toMatchObject({ added: 4, next: 2 });
  });

  test('leaves out the rows that the service refuses, with their reasons, and adds the others', async () => {
    const sent: string[][] = [];
    const { run, state, keys, added, written, imported } = create((names) => {
      sent.push(names);
      const at = names.indexOf('Pet 3');
      if (at < 0) return undefined;
      return [
        { pointer: `#/pets/${at}/name`, detail: 'is taken' },
        { pointer: `#/pets/${at}/categoryId`, detail: 'is unknown' },
      ];
    });
    await run();
    expect(sent).toEqual([['Pet 2', 'Pet 3', 'Pet 4'], ['Pet 2', 'Pet 4'], ['Pet 5']]);
    expect(keys).toEqual(['import-abc-0-0', 'import-abc-0-1', 'import-abc-1-0']);
    expect(added).toEqual([2, 1]);
    expect(state.refused).toEqual([
      { place: 'line 3', text: 'Pet 3,7', reason: 'name is taken; categoryId is unknown' },
    ]);
    expect(written).toEqual([1]);
    expect(imported).toEqual([['Pet 2', 'Pet 4'], ['Pet 5']]);
  });

  test('names the right row if the service refuses one after another, and sends no empty batch', async () => {
    const { run, state, keys, added } = create(() => [{ pointer: '#/pets/0/name', detail: 'is taken' }]);
    await run();
    expect(state.refused.map(({ place }) => place)).toEqual(['line 2', 'line 3', 'line 4', 'line 5']);
    expect([keys.length, added]).toEqual([4, [0, 0]]);
  });

  test('fails if the browser has lost its rows', async () => {
    const { run, batches, keys } = create(() => undefined);
    batches.pop();
    expect(await run().catch(({ message }: Error) => message)).toBe(texts.importing.rowsLost);
    expect(keys).toHaveLength(1);
  });

  test('fails if the service refuses a batch as a whole', async () => {
    const { run, state } = create(() => [{ parameter: 'key', detail: 'is wrong' }]);
    expect(await run().catch((error: Error) => error)).toBeInstanceOf(Invalid);
    expect(state.record).toMatchObject({ added: 0, next: 0 });
  });

  test('sends no further batch after Stop', async () => {
    const { run, state, keys, stop } = create(() => {
      stop();
      return undefined;
    });
    await run();
    expect([keys.length, state.record.next]).toEqual([1, 1]);
  });
});
