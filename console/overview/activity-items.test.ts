import { describe, expect, test } from 'bun:test';
import type { LiveEvent } from '../data/live.ts';
import { groupActivity } from './activity-items.ts';

const event = (sequence: number, type: string, object: object, keyId = 'key_1') =>
  ({ id: `evt_${sequence}`, sequence, type, actor: { keyId }, data: { object } }) as unknown as LiveEvent;

const shown = (events: LiveEvent[]) =>
  groupActivity(events, 100).map(({ event: { sequence }, count }) => [sequence, count]);

describe('the activity', () => {
  test('shows pets that one key added one after the other as one line', () => {
    const events = [
      event(6, 'pet.created', { id: 6 }, 'key_2'),
      event(5, 'pet.created', { id: 5 }),
      event(4, 'pet.created', { id: 4 }),
      event(3, 'order.placed', { id: 1, petId: 1 }),
      event(2, 'order.placed', { id: 2, petId: 2 }),
      event(1, 'pet.created', { id: 1 }),
    ];
    expect(shown(events)).toEqual([
      [6, 1],
      [5, 2],
      [3, 1],
      [2, 1],
      [1, 1],
    ]);
  });

  test('shows status changes as one line only if the status is the same', () => {
    const events = ['sold', 'sold', 'pending'].map((status, index) =>
      event(9 - 2 * index, 'pet.status_changed', { id: index, status }),
    );
    expect(shown(events)).toEqual([
      [9, 2],
      [5, 1],
    ]);
  });

  test('shows pets that were moved to one category as one line, apart from other changes', () => {
    const change = (sequence: number, categoryId: number, previous: object) =>
      ({
        ...event(sequence, 'pet.updated', {}),
        data: { object: { id: sequence, categoryId }, previous },
      }) as LiveEvent;
    const events = [
      change(9, 3, { categoryId: 1 }),
      change(8, 3, { categoryId: 2 }),
      change(7, 4, { categoryId: 2 }),
      change(6, 4, { name: 'Rex' }),
    ];
    expect(shown(events)).toEqual([
      [9, 2],
      [7, 1],
      [6, 1],
    ]);
  });

  test('says that the oldest group may be larger if not all events are loaded', () => {
    const events = [3, 2, 1].map((sequence) => event(sequence, sequence === 3 ? 'pet.created' : 'pet.deleted', {}));
    expect(groupActivity(events, 3).map(({ count, isCut }) => [count, isCut])).toEqual([
      [1, undefined],
      [2, true],
    ]);
    expect(groupActivity(events, 4).some(({ isCut }) => isCut)).toBe(false);
  });

  test('leaves out only the status changes that orders caused', () => {
    const events = [
      event(9, 'pet.status_changed', { id: 7 }),
      event(8, 'order.placed', { id: 1, petId: 5 }),
      event(7, 'pet.status_changed', { id: 5 }),
      event(6, 'pet.status_changed', { id: 5 }, 'key_2'),
    ];
    expect(shown(events)).toEqual([
      [9, 1],
      [8, 1],
      [6, 1],
    ]);
  });
});
