import fc from 'fast-check';
import { type Asked, isPost, type Step } from './step.ts';
import type { StoreModel } from './store-model.ts';

export const STEPS = Math.max(10_000, Number(process.env.PETSTORE_CASES || 0));

const status = fc.constantFrom('available', 'pending', 'sold');
const name = fc.constantFrom('Rex', 'Mia', 'Zoë');
const categoryId = fc.constantFrom(1, 3, 77, 1000, 1001, 1003);

/**
 * A request chooses its row by an index from 0 to 9. There are only ten indexes, so that requests often conflict. The
 * last index stands for a missing row.
 */
const NOWHERE = 9;
const NOBODY = 999_999_999;

const weighted = <Value>(weights: [number, Value][]) =>
  fc.oneof(...weights.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

const draft = fc.record({
  kind: weighted<Step['kind']>([
    ...([
      [8, 'placeOrder'],
      [5, 'createPet'],
      [5, 'updatePet'],
      [5, 'approveOrder'],
    ] as [number, Step['kind']][]),
    ...([
      [4, 'deliverOrder'],
      [3, 'cancelOrder'],
      [2, 'deletePet'],
      [2, 'readPet'],
    ] as [number, Step['kind']][]),
    ...([
      [2, 'readOrder'],
      [1, 'readInventory'],
      [1, 'createCategory'],
    ] as [number, Step['kind']][]),
    [1, 'updateCategory'],
  ]),
  pick: fc.nat(NOWHERE),
  pet: fc.record({ name, categoryId, status }, { requiredKeys: ['name', 'categoryId'] }),
  change: fc.record({ name, categoryId, status }, { requiredKeys: [] }),
  match: weighted([
    [6, 'none'],
    [1, '*'],
    [2, 'current'],
    [1, 'stale'],
  ]),
  key: weighted([
    [3, 'none'],
    [5, 'new'],
    [2, 'again'],
    [1, 'reused'],
  ]),
});

type Draft = typeof draft extends fc.Arbitrary<infer Value> ? Value : never;

export const drafts = fc.array(draft, { minLength: 1, maxLength: 32, size: 'max' });

export const callers = fc.constantFrom(1, 4, 12, 32, 32);

const RIPE: Partial<Record<Step['kind'], string>> = {
  ...{ approveOrder: 'placed', deliverOrder: 'approved', cancelOrder: 'placed', readOrder: 'approved' },
};

export const createScribe = (model: StoreModel) => {
  const posts: Step[] = [];
  let keys = 0;

  const choose = <Row>(rows: ReadonlyMap<number, Row>, pick: number, isRipe: (row: Row) => boolean): number => {
    if (pick === NOWHERE) return NOBODY;
    const all = [...rows].filter(([, row]) => pick % 2 === 1 || isRipe(row)).map(([id]) => id);
    return all.at(-1 - (pick >> 1)) ?? all.at(-1) ?? NOBODY;
  };

  const matchOf = ({ match }: Draft, id: number): Pick<Step, 'ifMatch'> => {
    const version = model.pets.get(id)?.version ?? 1;
    if (match === 'none') return {};
    return { ifMatch: match === '*' ? '*' : `"${match === 'current' ? version : version + 7}"` };
  };

  const stepOf = (given: Draft): Step => {
    const { kind, pick, pet, change } = given;
    const petId = choose(model.pets, pick, (one) => one.status === 'available');
    const named = { body: { name: `${pet.name} ${pick}` } };
    if (kind === 'createPet') return { kind, body: pet };
    if (kind === 'updatePet') return { kind, id: petId, body: change, ...matchOf(given, petId) };
    if (kind === 'deletePet') return { kind, id: petId, ...matchOf(given, petId) };
    if (kind === 'readPet') return { kind, id: petId };
    if (kind === 'placeOrder') return { kind, body: { petId } };
    if (kind === 'readInventory') return { kind };
    if (kind === 'createCategory') return { kind, ...named };
    if (kind === 'updateCategory') return { kind, id: pick === NOWHERE ? NOBODY : pet.categoryId, ...named };
    return { kind, id: choose(model.orders, pick, ({ status }) => status === RIPE[kind]) };
  };

  return (given: Draft): Step => {
    const step = stepOf(given);
    const before = posts.at(-1 - given.pick) ?? posts.at(-1);
    if (!isPost(step) || given.key === 'none') return step;
    if (given.key === 'again' && before) return { ...before };
    keys += 1;
    const idempotencyKey = given.key === 'reused' && before?.idempotencyKey ? before.idempotencyKey : `key-${keys}`;
    const sent = { ...step, idempotencyKey };
    posts.push(sent);
    return sent;
  };
};

export const sendAll = async (
  steps: readonly Step[],
  callers: number,
  send: (step: Step) => Promise<Asked>,
): Promise<Asked[]> => {
  const asked: Asked[] = [];
  const call = async (caller: number) => {
    for (let index = caller; index < steps.length; index += callers) {
      const one = await send(steps[index] as Step);
      asked.push(one);
      if (!one.heard) return;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  return asked;
};
