import { describe, expect, test } from 'bun:test';
import { PET_STATUSES, type Pet, type PetStatus, petChanges, refuseFullStore, refuseMove } from './pet.ts';

const pet = (fields: Partial<Pet> = {}): Pet => ({
  id: 7n,
  name: 'Rex',
  categoryId: 1n,
  status: 'available',
  version: 1n,
  heldByOrderId: null,
  ...fields,
});

describe('an animal', () => {
  const moves: Record<PetStatus, PetStatus[]> = {
    available: ['pending', 'sold'],
    pending: ['available', 'sold'],
    sold: [],
  };

  test.each([...PET_STATUSES])('that is %s stays so, goes where it may and nowhere else', (status) => {
    for (const to of PET_STATUSES) {
      const move = () => refuseMove(pet({ status }), to);
      if (to === status || moves[status].includes(to)) expect(move).not.toThrow();
      else expect(move).toThrow(expect.objectContaining({ code: 'invalid_status_transition' }));
    }
  });

  test('that an order holds stays as it is, and goes nowhere', () => {
    const held = pet({ status: 'pending', heldByOrderId: 5n });
    expect(() => refuseMove(held, 'pending')).not.toThrow();
    for (const to of ['available', 'sold'] as const) {
      expect(() => refuseMove(held, to)).toThrow(expect.objectContaining({ code: 'pet_reserved' }));
    }
  });
});

describe('a change of an animal', () => {
  test('is told of name and category first, then of the status, each with what was before', () => {
    const after = pet({ name: 'Mia', categoryId: 2n, status: 'sold' });
    const [updated, moved, ...others] = petChanges(pet(), after);
    expect(updated).toMatchObject({ type: 'pet.updated', petId: 7n, previous: { name: 'Rex' } });
    expect(Object.keys(updated?.previous ?? {})).toEqual(['name', 'categoryId']);
    expect(moved).toMatchObject({ type: 'pet.status_changed', petId: 7n, previous: { status: 'available' } });
    expect(others).toEqual([]);
    expect(updated).not.toHaveProperty('orderId');
  });

  test('names the order that made it', () => {
    expect(petChanges(pet(), pet({ status: 'pending' }), 5n)).toMatchObject([{ orderId: 5n }]);
  });

  test('that is none is not told', () => {
    expect(petChanges(pet(), pet({ version: 2n }))).toEqual([]);
  });
});

test('a store is full when it holds as many animals as it may, whatever their status', () => {
  const counts = { available: 1n, pending: 2n, sold: 3n };
  expect(() => refuseFullStore(counts, 7)).not.toThrow();
  expect(() => refuseFullStore(counts, 6)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  expect(() => refuseFullStore(counts, 8, 2)).not.toThrow();
  expect(() => refuseFullStore(counts, 8, 3)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});
