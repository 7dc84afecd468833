import { type Answer, isPost, type Step } from './step.ts';

export type Status = 'available' | 'pending' | 'sold';
export type Pet = {
  id: number;
  name: string;
  categoryId: number;
  status: Status;
  version: number;
  heldBy: number | null;
};
type OrderStatus = 'placed' | 'approved' | 'delivered' | 'cancelled' | 'expired';
export type Order = {
  id: number;
  petId: number;
  status: OrderStatus;
  placedAt: number;
  updatedAt: number;
  expiresAt: number | null;
};

export type Reported = {
  type: string;
  object: unknown;
  previous?: unknown;
  petId: number | null;
  orderId: number | null;
};

export type Outcome = { answer: Answer; events: Reported[]; happen(): void };

export type Moment = { now: number; newId: number };

export const KEPT_MS = 24 * 3_600_000;
const FIRST_CATEGORY = 1000;
const NAMED = ['Dogs', 'Cats', 'Birds', 'Fish', 'Reptiles', 'Small mammals'];

const AFTER: Record<Status, Status[]> = { available: ['pending', 'sold'], pending: ['available', 'sold'], sold: [] };

const nothing = () => undefined;
const refuse = (status: number, code: string): Outcome => ({ answer: { status, code }, events: [], happen: nothing });
const NOT_FOUND = refuse(404, 'not_found');
const WRONG_MOVE = refuse(409, 'invalid_status_transition');

const showPet = ({ id, name, categoryId, status }: Pet) => ({ id, name, categoryId, status });
const iso = (at: number) => new Date(at).toISOString();
const showOrder = (order: Order) => ({
  ...order,
  placedAt: iso(order.placedAt),
  updatedAt: iso(order.updatedAt),
  expiresAt: order.expiresAt === null ? null : iso(order.expiresAt),
});
const etagOf = ({ version }: Pet) => `"${version}"`;

const changesOf = (was: Pet, is: Pet, orderId: number | null): Reported[] => {
  const about = { object: showPet(is), petId: is.id, orderId };
  const others: Partial<Pet> = {};
  if (was.name !== is.name) others.name = was.name;
  if (was.categoryId !== is.categoryId) others.categoryId = was.categoryId;
  return [
    ...(Object.keys(others).length > 0 ? [{ type: 'pet.updated', previous: others, ...about }] : []),
    ...(was.status === is.status ? [] : [{ type: 'pet.status_changed', previous: { status: was.status }, ...about }]),
  ];
};

export const createStoreModel = ({ holdMs }: { holdMs: number }) => {
  const pets = new Map<number, Pet>();
  const orders = new Map<number, Order>();
  const categories = new Map<number, string | null>(NAMED.map((name, index) => [index + 1, name]));
  const kept = new Map<string, { request: string; answer: Answer; at: number }>();

  const inventory = () => {
    const counts = { available: 0, pending: 0, sold: 0 };
    for (const { status } of pets.values()) counts[status] += 1;
    return counts;
  };

  const putPet = (pet: Pet) => {
    pets.set(pet.id, pet);
    if (!categories.has(pet.categoryId)) categories.set(pet.categoryId, null);
  };

  const createPet = ({ body }: Step, { newId }: Moment): Outcome => {
    const pet = { status: 'available', ...body, id: newId, version: 1, heldBy: null } as Pet;
    return {
      answer: { status: 201, body: showPet(pet), etag: etagOf(pet) },
      events: [{ type: 'pet.created', object: showPet(pet), petId: newId, orderId: null }],
      happen: () => putPet(pet),
    };
  };

  const isStale = ({ ifMatch = '*' }: Step, pet: Pet) => ifMatch !== '*' && ifMatch !== etagOf(pet);

  const updatePet = (step: Step): Outcome => {
    const pet = pets.get(step.id as number);
    if (!pet) return NOT_FOUND;
    if (isStale(step, pet)) return refuse(412, 'precondition_failed');
    const wanted: Pet = { ...pet, ...step.body };
    if (wanted.status !== pet.status) {
      if (pet.heldBy !== null) return refuse(409, 'pet_reserved');
      if (!AFTER[pet.status].includes(wanted.status)) return WRONG_MOVE;
    }
    const events = changesOf(pet, wanted, null);
    const changed = events.length === 0 ? pet : { ...wanted, version: pet.version + 1 };
    const answer = { status: 200, body: showPet(changed), etag: etagOf(changed) };
    return { answer, events, happen: () => putPet(changed) };
  };

  const deletePet = (step: Step): Outcome => {
    const pet = pets.get(step.id as number);
    if (!pet) return NOT_FOUND;
    if (isStale(step, pet)) return refuse(412, 'precondition_failed');
    if (pet.heldBy !== null) return refuse(409, 'pet_reserved');
    return {
      answer: { status: 204 },
      events: [{ type: 'pet.deleted', object: showPet(pet), petId: pet.id, orderId: null }],
      happen: () => pets.delete(pet.id),
    };
  };

  const readPet = ({ id }: Step): Outcome => {
    const pet = pets.get(id as number);
    if (!pet) return NOT_FOUND;
    return { answer: { status: 200, body: showPet(pet), etag: etagOf(pet) }, events: [], happen: nothing };
  };

  const placeOrder = ({ body }: Step, { now, newId }: Moment): Outcome => {
    const pet = pets.get(body?.petId as number);
    if (!pet) return NOT_FOUND;
    if (pet.status !== 'available') return refuse(409, 'pet_not_available');
    const order: Order = {
      ...{ id: newId, petId: pet.id, status: 'placed' },
      ...{ placedAt: now, updatedAt: now, expiresAt: now + holdMs },
    };
    const held: Pet = { ...pet, status: 'pending', version: pet.version + 1, heldBy: newId };
    return {
      answer: { status: 201, body: showOrder(order) },
      events: [
        { type: 'order.placed', object: showOrder(order), petId: pet.id, orderId: newId },
        ...changesOf(pet, held, newId),
      ],
      happen: () => {
        orders.set(newId, order);
        putPet(held);
      },
    };
  };

  const move = (order: Order, to: OrderStatus, now: number, petStatus?: Status): Outcome => {
    const moved: Order = { ...order, status: to, updatedAt: now, expiresAt: null };
    const pet = petStatus && pets.get(order.petId);
    const freed: Pet | undefined = pet && { ...pet, status: petStatus, version: pet.version + 1, heldBy: null };
    return {
      answer: { status: 200, body: showOrder(moved) },
      events: [
        {
          ...{ type: `order.${to}`, object: showOrder(moved), previous: { status: order.status } },
          ...{ petId: order.petId, orderId: order.id },
        },
        ...(pet && freed ? changesOf(pet, freed, order.id) : []),
      ],
      happen: () => {
        orders.set(order.id, moved);
        if (freed) putPet(freed);
      },
    };
  };

  const onOrder =
    (rule: (order: Order, now: number) => Outcome) =>
    ({ id }: Step, { now }: Moment): Outcome => {
      const order = orders.get(id as number);
      return order ? rule(order, now) : NOT_FOUND;
    };

  const isLate = ({ expiresAt }: Order, now: number) => expiresAt !== null && expiresAt <= now;

  const approveOrder = onOrder((order, now) =>
    order.status === 'placed' && !isLate(order, now) ? move(order, 'approved', now) : WRONG_MOVE,
  );
  const deliverOrder = onOrder((order, now) =>
    order.status === 'approved' ? move(order, 'delivered', now, 'sold') : WRONG_MOVE,
  );
  const cancelOrder = onOrder((order, now) =>
    order.status === 'placed' || order.status === 'approved' ? move(order, 'cancelled', now, 'available') : WRONG_MOVE,
  );
  const readOrder = onOrder((order) => ({
    answer: { status: 200, body: showOrder(order) },
    events: [],
    happen: nothing,
  }));

  const createCategory = ({ body }: Step): Outcome => {
    let id = FIRST_CATEGORY;
    while (categories.has(id)) id += 1;
    const name = body?.name as string;
    return {
      answer: { status: 201, body: { id, name } },
      events: [{ type: 'category.created', object: { id, name }, petId: null, orderId: null }],
      happen: () => categories.set(id, name),
    };
  };

  const updateCategory = ({ id = 0, body }: Step): Outcome => {
    const was = categories.get(id);
    if (was === undefined) return NOT_FOUND;
    const name = body?.name as string;
    const event = { type: 'category.updated', object: { id, name }, previous: { name: was } };
    return {
      answer: { status: 200, body: { id, name } },
      events: name === was ? [] : [{ ...event, petId: null, orderId: null }],
      happen: () => categories.set(id, name),
    };
  };

  const rules: Record<Step['kind'], (step: Step, moment: Moment) => Outcome> = {
    ...{ createPet, updatePet, deletePet, readPet },
    ...{ placeOrder, approveOrder, deliverOrder, cancelOrder, readOrder },
    ...{ createCategory, updateCategory },
    readInventory: () => ({ answer: { status: 200, body: inventory() }, events: [], happen: nothing }),
  };

  return {
    pets,
    orders,
    categories,
    inventory,
    kept: () =>
      [...kept].map(([key, { answer, at }]): [string, { body: unknown; at: number }] => [
        key,
        { body: answer.body, at },
      ]),

    decide(step: Step, moment: Moment): Outcome {
      const key = isPost(step) ? step.idempotencyKey : undefined;
      if (key === undefined) return rules[step.kind](step, moment);
      const request = JSON.stringify([step.kind, step.id, step.body]);
      const before = kept.get(key);
      if (before) {
        if (before.request !== request) return refuse(422, 'idempotency_key_reused');
        return { answer: { ...before.answer, replayed: true }, events: [], happen: nothing };
      }
      const outcome = rules[step.kind](step, moment);
      const { answer } = outcome;
      return {
        ...outcome,
        happen: () => {
          outcome.happen();
          if (answer.status < 300) kept.set(key, { request, answer, at: moment.now });
        },
      };
    },

    expire(orderId: number, now: number): Outcome | undefined {
      const order = orders.get(orderId);
      return order?.status === 'placed' && isLate(order, now) ? move(order, 'expired', now, 'available') : undefined;
    },
  };
};

export type StoreModel = ReturnType<typeof createStoreModel>;
