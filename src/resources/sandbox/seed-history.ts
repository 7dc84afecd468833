import { changedFields, type EventLog } from '../../kernel/operation.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/runtime.ts';
import { type Order, toOrderBody } from '../orders/order.ts';
import type { OrderRepository } from '../orders/orders.repository.ts';
import { type Pet, petChanges, toPetBody } from '../pets/pet.ts';
import type { PetRepository } from '../pets/pets.repository.ts';
import { SAMPLES, type Sample } from './seed-store.ts';

const OPENED_DAYS_AGO = 14;

type Repositories = { pets: PetRepository; orders: OrderRepository; events: EventLog };

const DAYS_AGO = { delivered: [13, 12, 12, 10, 8, 8, 8, 6, 5, 3, 3, 1], cancelled: [11, 9, 7, 4, 2, 1] };

/** Applies to the last ten sample pets. All others were added on the day when the shop opened. */
const ADDED_DAYS_AGO = [11, 10, 9, 9, 7, 6, 4, 4, 3, 2];

/** The steps of an order, each with the minutes since it was placed. A placed order expires after 60 minutes. */
const COURSE = {
  approved: [['approved', 25]],
  delivered: [
    ['approved', 20],
    ['delivered', 170],
  ],
  cancelled: [['cancelled', 45]],
} as const;

const PET_STATUS = { delivered: 'sold', cancelled: 'available' } as const;

const createTimes = (now: number) => {
  const today = now - (now % DAY_MS);
  const used = { delivered: 0, cancelled: 0, approved: 0 };
  return (kind: keyof typeof used): number => {
    const index = used[kind];
    used[kind] += 1;
    if (kind === 'approved') return now - 2 * (1 + index) * HOUR_MS;
    const days = DAYS_AGO[kind][index] ?? 1;
    return today - days * DAY_MS + (9 + ((5 * index) % 8)) * HOUR_MS + 7 * index * MINUTE_MS;
  };
};

const addedAt = (now: number, index: number): number => {
  const days = ADDED_DAYS_AGO[index - SAMPLES.length + ADDED_DAYS_AGO.length];
  return days === undefined
    ? now - OPENED_DAYS_AGO * DAY_MS + index * MINUTE_MS
    : now - (now % DAY_MS) - days * DAY_MS + 8 * HOUR_MS + index * MINUTE_MS;
};

const createShop = ({ pets, orders, events }: Repositories, now: Clock, keyId: string) => {
  const changePet = async (pet: Pet, change: Partial<Pet>, orderId?: bigint): Promise<Pet> => {
    const changed = await pets.update(pet, change);
    for (const one of petChanges(pet, changed, orderId)) await events.append(one);
    return changed;
  };

  return {
    async add(sample: Pick<Pet, 'name' | 'categoryId' | 'status'>): Promise<Pet> {
      const pet = await pets.insert(sample);
      await events.append({ type: 'pet.created', object: toPetBody(pet), petId: pet.id });
      return pet;
    },
    async place(pet: Pet): Promise<Order> {
      const times = { placedAt: now(), updatedAt: now(), expiresAt: now() + HOUR_MS };
      const order = await orders.insert({ petId: pet.id, status: 'placed', placedByKeyId: keyId, ...times });
      await events.append({ type: 'order.placed', object: toOrderBody(order), petId: pet.id, orderId: order.id });
      await changePet(pet, { status: 'pending', heldByOrderId: order.id }, order.id);
      return order;
    },
    async move(order: Order, status: 'approved' | 'delivered' | 'cancelled'): Promise<Order> {
      const moved = { ...order, status, updatedAt: now(), expiresAt: null };
      await orders.update(moved);
      const object = toOrderBody(moved);
      const previous = changedFields(toOrderBody(order), object) ?? {};
      await events.append({ type: `order.${status}`, object, previous, petId: order.petId, orderId: order.id });
      const pet = await pets.lock(order.petId);
      if (pet && status !== 'approved')
        await changePet(pet, { status: PET_STATUS[status], heldByOrderId: null }, order.id);
      return moved;
    },
  };
};

/** Adds the history of a shop that opened two weeks ago and has since sold some of the sample pets. */
export const seedHistory = async (open: (now: Clock) => Repositories, keyId: string, now: number): Promise<void> => {
  let at = now;
  const shop = createShop(
    open(() => at),
    () => at,
    keyId,
  );
  const timeOf = createTimes(now);

  /** Adds one sample pet, then places and moves its order, if any. Before each step, yields the time of the step. */
  async function* live({ order: end, status, ...sample }: Sample, index: number): AsyncGenerator<number> {
    const placedAt = end ? timeOf(end) : 0;
    yield addedAt(now, index);
    const pet = await shop.add({ ...sample, status: end ? 'available' : status });
    if (!end) return;
    yield placedAt;
    let order = await shop.place(pet);
    for (const [to, minutes] of COURSE[end]) {
      yield placedAt + minutes * MINUTE_MS;
      order = await shop.move(order, to);
    }
  }

  const lives = SAMPLES.map((sample, index) => ({ steps: live(sample, index), at: 0 }));
  for (let next = lives[0]; next; next = lives.sort((one, other) => one.at - other.at)[0]) {
    at = next.at;
    const { done, value } = await next.steps.next();
    if (done) lives.shift();
    else next.at = value;
  }
};
