import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Failure } from '../../kernel/failure.ts';
import { newPetBatch } from '../../resources/pets/pet.ts';
import { createPetBatchContract } from '../../resources/pets/pets.contracts.ts';
import { createBatchReader } from './read-batch.ts';

const reader = createBatchReader(createPetBatchContract) as NonNullable<ReturnType<typeof createBatchReader>>;

const finish = <Result>(work: Generator<void, Result>): Result => {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
};

const inSlices = (body: string): unknown => {
  try {
    return finish(reader.read(finish(reader.locate(Buffer.from(body)))));
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    return undefined;
  }
};
const atOnce = (body: string): unknown => {
  try {
    return newPetBatch.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
};

const name = fc.oneof(fc.constantFrom('Rex', '"', '\\', ']},{', '小', '"pets":['), fc.string({ minLength: 1 }));
const other = fc.oneof(name, fc.array(fc.oneof(name, fc.integer()), { maxLength: 3 }), fc.constant({ pets: [1, {}] }));
const pet = fc.record({ name, categoryId: fc.integer(), other });
const batch = fc.record(
  {
    x: other,
    pets: fc.array(pet, { maxLength: 5 }),
    y: fc.constantFrom('pets', ['pets', [1]]),
  },
  { requiredKeys: ['pets'] },
);

test('reading a batch row by row gives the same result as parsing it whole, even with a character too many or too few', () => {
  let accepted = 0;
  fc.assert(
    fc.property(
      batch,
      fc.boolean(),
      fc.nat(),
      fc.constantFrom('', ...'[]{},:"\\ 1'),
      fc.nat(2),
      (given, isIndented, at, put, cut) => {
        const text = JSON.stringify(given, null, isIndented ? 1 : 0);
        const place = at % text.length;
        const body = text.slice(0, place) + put + text.slice(place + cut);
        const read = inSlices(body);
        if (read) accepted += 1;
        expect(read).toEqual(atOnce(body));
      },
    ),
    { numRuns: 1000 },
  );
  expect(accepted).toBeGreaterThan(100);
});
