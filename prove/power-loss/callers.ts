import { ADMIN_KEY } from '../../test/admin-key.ts';
import { createSeeded, type Seeded } from '../seeded.ts';

export type Cells = Record<string, string | null>;

export type Done = { caller: number; requestId: string; changes: Cells };

export type Pet = { id: number; name: string; categoryId: number; status: string };
type Order = { id: number; petId: number; status: string };

export const petCell = ({ id, name, categoryId, status }: Pet): Cells => ({
  [`pets ${id}`]: `${name}, ${categoryId}, ${status}`,
});
export const orderCell = ({ id, petId, status }: Order): Cells => ({ [`orders ${id}`]: `${petId}, ${status}` });
export const keyCell = (key: string): Cells => ({ [`answers ${key}`]: 'kept' });

const STATUS_OF_PET: Record<string, string> = {
  placed: 'pending',
  approved: 'pending',
  delivered: 'sold',
  cancelled: 'available',
};
const MAX_PETS = 12;
const PAUSE_MS = 20;
const MAX_TRIES = 5000;

const isForLater = (status: number, seen: string): boolean =>
  status === 503 || seen.includes('"idempotency_in_progress"');

type Options = {
  caller: number;
  turns: number;
  seed: number;
  origin(): Promise<string>;
  note(done: Done): void;
};

/**
 * Repeats the request until a response arrives, even if the service restarts meanwhile. The Idempotency-Key prevents
 * duplicates.
 */
const createAsk =
  ({ caller, origin, note }: Options) =>
  async <Body>(method: string, path: string, body: object | undefined, changesOf: (seen: Body) => Cells) => {
    const key = method === 'POST' ? crypto.randomUUID() : undefined;
    const headers = {
      Authorization: `Bearer ${ADMIN_KEY}`,
      'Content-Type': 'application/json',
      ...(key ? { 'Idempotency-Key': key } : {}),
    };
    for (let tries = 1; ; tries += 1) {
      const answer = await fetch(`${await origin()}/v1${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      }).catch(() => undefined);
      const seen = await answer?.text().catch(() => undefined);
      if (!answer || seen === undefined || isForLater(answer.status, seen)) {
        if (tries === MAX_TRIES) throw new Error(`${method} ${path}: ${seen ?? 'no answer'} after ${tries} tries`);
        await Bun.sleep(PAUSE_MS);
        continue;
      }
      const isDone = answer.ok || (tries > 1 && method === 'DELETE' && answer.status === 404);
      if (!isDone) throw new Error(`${method} ${path}: ${answer.status} ${seen}`);
      const parsed = (answer.ok && seen ? JSON.parse(seen) : undefined) as Body;
      const requestId = answer.headers.get('x-request-id') as string;
      note({ caller, requestId, changes: { ...changesOf(parsed), ...(key ? keyCell(key) : {}) } });
      return parsed;
    }
  };

const createSteps = (options: Options, random: Seeded) => {
  const ask = createAsk(options);
  const pets = new Map<number, Pet>();
  const orders = new Map<number, Order>();
  let names = 0;

  const newName = (): string => {
    names += 1;
    return `caller ${options.caller}, ${names} ${'x'.repeat(random.below(200))}`;
  };
  const draft = () => ({ name: newName(), categoryId: 1 + random.below(6) });
  const ofStatus = (status: string) => random.one([...orders.values()].filter((order) => order.status === status));
  const isHeld = (id: number): boolean => [...orders.values()].some(({ petId }) => petId === id);
  const unheld = (...statuses: string[]) =>
    random.one([...pets.values()].filter(({ id, status }) => statuses.includes(status) && !isHeld(id)));
  const keepPet = (pet: Pet): Cells => {
    pets.set(pet.id, pet);
    return petCell(pet);
  };
  const keepOrder = (order: Order): Cells => {
    if (order.status === 'placed' || order.status === 'approved') orders.set(order.id, order);
    else orders.delete(order.id);
    const pet = { ...(pets.get(order.petId) as Pet), status: STATUS_OF_PET[order.status] as string };
    return { ...orderCell(order), ...keepPet(pet) };
  };
  const move = (from: string, verb: string) => async () => {
    const order = ofStatus(from);
    if (order) await ask('POST', `/store/orders/${order.id}/${verb}`, undefined, keepOrder);
  };

  return [
    async () => {
      if (pets.size < MAX_PETS) await ask('POST', '/pets', draft(), keepPet);
    },
    async () => {
      if (pets.size > MAX_PETS) return;
      const asked = { pets: Array.from({ length: 2 + random.below(6) }, draft) };
      await ask<Pet[]>('POST', '/pets/batch', asked, (seen) => Object.assign({}, ...seen.map(keepPet)));
    },
    async () => {
      const pet = unheld('available', 'pending', 'sold');
      if (pet) await ask('PATCH', `/pets/${pet.id}`, { name: newName() }, keepPet);
    },
    async () => {
      const pet = unheld('available', 'pending');
      const status = pet?.status === 'available' ? 'pending' : 'available';
      if (pet) await ask('PATCH', `/pets/${pet.id}`, { status }, keepPet);
    },
    async () => {
      const pet = unheld('available', 'pending', 'sold');
      if (!pet) return;
      await ask('DELETE', `/pets/${pet.id}`, undefined, () => {
        pets.delete(pet.id);
        return { [`pets ${pet.id}`]: null };
      });
    },
    async () => {
      const pet = unheld('available');
      if (pet) await ask('POST', '/store/orders', { petId: pet.id }, keepOrder);
    },
    move('placed', 'approve'),
    move('placed', 'cancel'),
    move('approved', 'deliver'),
    move('approved', 'cancel'),
  ];
};

const FAR_APART = 0x9e3779b1;

export const runCaller = async (options: Options): Promise<void> => {
  const random = createSeeded(Math.imul(options.seed + options.caller, FAR_APART));
  const steps = createSteps(options, random);
  for (let turn = 0; turn < options.turns; turn += 1) await random.one(steps)?.();
};
