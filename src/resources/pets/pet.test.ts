import { describe, expect, test } from 'bun:test';
import {
  newPet,
  newPetBatch,
  PET_STATUSES,
  type Pet,
  type PetStatus,
  petChanges,
  petLimitOf,
  refuseMove,
} from './pet.ts';

const pet = (fields: Partial<Pet> = {}): Pet => ({
  id: 7n,
  name: 'Rex',
  categoryId: 1n,
  status: 'available',
  version: 1n,
  heldByOrderId: null,
  ...fields,
});

describe('a pet', () => {
  const moves: Record<PetStatus, PetStatus[]> = {
    available: ['pending', 'sold'],
    pending: ['available', 'sold'],
    sold: [],
  };

  test.each([...PET_STATUSES])('that is %s allows exactly its transitions', (status) => {
    for (const to of PET_STATUSES) {
      const move = () => refuseMove(pet({ status }), to);
      if (to === status || moves[status].includes(to)) expect(move).not.toThrow();
      else expect(move).toThrow(expect.objectContaining({ code: 'invalid_status_transition' }));
    }
  });

  test('that an order holds allows no transition', () => {
    const held = pet({ status: 'pending', heldByOrderId: 5n });
    expect(() => refuseMove(held, 'pending')).not.toThrow();
    for (const to of ['available', 'sold'] as const) {
      expect(() => refuseMove(held, to)).toThrow(expect.objectContaining({ code: 'pet_reserved' }));
    }
  });
});

describe('a change to a pet', () => {
  test('writes pet.updated first, then pet.status_changed, each with previous values', () => {
    const after = pet({ name: 'Mia', categoryId: 2n, status: 'sold' });
    const [updated, moved, ...others] = petChanges(pet(), after);
    expect(updated).toMatchObject({ type: 'pet.updated', petId: 7n, previous: { name: 'Rex' } });
    expect(Object.keys(updated?.previous ?? {})).toEqual(['name', 'categoryId']);
    expect(moved).toMatchObject({ type: 'pet.status_changed', petId: 7n, previous: { status: 'available' } });
    expect(others).toEqual([]);
    expect(updated).not.toHaveProperty('orderId');
  });

  test('names the order that caused it', () => {
    expect(petChanges(pet(), pet({ status: 'pending' }), 5n)).toMatchObject([{ orderId: 5n }]);
  });

  test('of one field writes one event', () => {
    const typesOf = (after: Partial<Pet>) => petChanges(pet(), pet(after)).map(({ type }) => type);
    expect(typesOf({ name: 'Mia' })).toEqual(['pet.updated']);
    expect(typesOf({ categoryId: 2n })).toEqual(['pet.updated']);
    expect(typesOf({ status: 'sold' })).toEqual(['pet.status_changed']);
  });

  test('that changes nothing writes no event', () => {
    expect(petChanges(pet(), pet({ version: 2n }))).toEqual([]);
  });
});

describe('a new pet', () => {
  const given = { name: 'Rex', categoryId: 1 };

  test('is available by default, and accepts exactly the three statuses', () => {
    expect(newPet.parse(given).status).toBe('available');
    for (const status of PET_STATUSES) expect(newPet.parse({ ...given, status }).status).toBe(status);
    for (const status of ['gone', null]) expect(newPet.safeParse({ ...given, status }).success).toBeFalse();
  });

  test('can be sent alone or in a batch of up to a thousand', () => {
    const isTaken = (count: number) =>
      newPetBatch.safeParse({ pets: Array.from({ length: count }, () => given) }).success;
    expect([0, 1, 1000, 1001].map(isTaken)).toEqual([false, true, true, false]);
  });

  test('is refused in an invalid batch', () => {
    const faultOf = (body: unknown) => newPetBatch.safeParse(body).error?.issues[0]?.message;
    expect(faultOf({})).toBe('is required');
    expect(faultOf({ pets: {} })).toBe('must be a list of pets');
  });
});

test('the pet limit is the lower of the limits of the key and the sandbox', () => {
  expect(petLimitOf({ petLimit: 5, maxPets: 7 })).toBe(5);
  expect(petLimitOf({ petLimit: 9, maxPets: 7 })).toBe(7);
  expect(petLimitOf({ petLimit: null, maxPets: 7 })).toBe(7);
  expect(petLimitOf({ petLimit: null, maxPets: undefined })).toBe(null);
});
