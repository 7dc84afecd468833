import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/runtime.ts';
import { holdPet, moveOrder } from '../orders/orders.repository.ts';
import { toPetBody } from '../pets/pet.ts';
import { SAMPLES, type Sample, type SeedRepositories } from './seed-store.ts';

const OPENED_DAYS_AGO = 14;

const DAYS_AGO = { delivered: [13, 12, 12, 10, 8, 8, 8, 6, 5, 3, 3, 1], cancelled: [11, 9, 7, 4, 2, 1] };

// How many days ago each of the last ten sample pets was added. All other sample pets were added on the day the
// shop opened.
const ADDED_DAYS_AGO = [11, 10, 9, 9, 7, 6, 4, 4, 3, 2];

/** Each step happens this many minutes after the order is placed. A placed order expires after 60 minutes. */
const COURSE = {
  approved: [['approved', 25]],
  delivered: [
    ['approved', 20],
    ['delivered', 170],
  ],
  cancelled: [['cancelled', 45]],
} as const;

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

/** Adds the history of a shop that opened two weeks ago and has since sold some of the sample pets. */
export const seedHistory = async (
  open: (now: Clock) => SeedRepositories,
  keyId: string,
  now: number,
): Promise<void> => {
  let at = now;
  const repositories = open(() => at);
  const timeOf = createTimes(now);

  /** Adds one sample pet and its order, if any. Before each step, yields the time at which the step happens. */
  async function* live({ order: end, status, ...sample }: Sample, index: number): AsyncGenerator<number> {
    const placedAt = end ? timeOf(end) : 0;
    yield addedAt(now, index);
    const pet = await repositories.pets.insert({ ...sample, status: end ? 'available' : status });
    await repositories.events.append({ type: 'pet.created', object: toPetBody(pet), petId: pet.id });
    if (!end) return;
    yield placedAt;
    let order = await holdPet(repositories, pet, { keyId, holdMs: HOUR_MS });
    for (const [to, minutes] of COURSE[end]) {
      yield placedAt + minutes * MINUTE_MS;
      order = await moveOrder(repositories, order, to);
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
