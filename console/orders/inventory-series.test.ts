import { describe, expect, test } from 'bun:test';
import type { PetStatus } from '../../client/src/index.ts';
import { type Change, inventorySeries, joinChanges } from './inventory-series.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');

const change = (sequence: number, type: Change['type'], status: PetStatus, before?: PetStatus) =>
  ({
    id: `evt_${sequence}`,
    sequence,
    type,
    timestamp: new Date(START + sequence * 1000).toISOString(),
    data: {
      object: { id: 1, name: 'Rex', categoryId: 1, status },
      ...(before ? { previous: { status: before } } : {}),
    },
  }) as unknown as Change;

describe('the inventory over time', () => {
  test('is computed backwards from the present counts', () => {
    const changes = [
      change(4, 'pet.deleted', 'sold'),
      change(3, 'pet.status_changed', 'sold', 'pending'),
      change(2, 'pet.status_changed', 'pending', 'available'),
      change(1, 'pet.created', 'available'),
    ];
    const points = inventorySeries({ available: 5, pending: 1, sold: 2 }, changes, START + 9000);
    expect(points).toEqual([
      { at: START + 999, counts: { available: 5, pending: 1, sold: 2 } },
      { at: START + 1000, counts: { available: 6, pending: 1, sold: 2 } },
      { at: START + 2000, counts: { available: 5, pending: 2, sold: 2 } },
      { at: START + 3000, counts: { available: 5, pending: 1, sold: 3 } },
      { at: START + 4000, counts: { available: 5, pending: 1, sold: 2 } },
      { at: START + 9000, counts: { available: 5, pending: 1, sold: 2 } },
    ]);
  });

  test('starts where all kinds of changes are loaded', () => {
    const created = {
      rows: [change(9, 'pet.created', 'available'), change(6, 'pet.created', 'available')],
      hasMore: true,
    };
    const moved = {
      rows: [
        change(7, 'pet.status_changed', 'sold', 'available'),
        change(2, 'pet.status_changed', 'sold', 'available'),
      ],
      hasMore: false,
    };
    expect(joinChanges([created, moved]).map(({ sequence }) => sequence)).toEqual([9, 7, 6]);
  });
});
