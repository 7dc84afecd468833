import { describe, expect, test } from 'bun:test';
import type { Event, HistoryEntry } from '../../../client/src/index.ts';
import { deletedCategories, fromEvents, fromHistory, latestByPet, namesOther } from './timeline-entries.ts';

const CATEGORIES = [
  { id: 1, name: 'Dogs' },
  { id: 2, name: 'Puppies' },
];
const AT = '2026-11-18T04:00:00.000Z';
const pet = { id: 7, name: 'Rex', categoryId: 1, status: 'available' };
const order = { id: 5, petId: 7, status: 'placed' };

const event = (type: string, data: object, part: Partial<Event> = {}): Event =>
  ({ id: type, type, timestamp: AT, requestId: 'r1', actor: { keyId: 'key_1' }, data, ...part }) as Event;
const textsOf = (events: Event[]) => fromEvents(events, CATEGORIES).map(({ text }) => text);

describe('the history of a pet', () => {
  test('says in words what changed', () => {
    expect(
      textsOf([
        event('pet.created', { object: pet }),
        event('pet.updated', { object: pet, previous: { name: 'Max', categoryId: 2 } }),
        event('pet.status_changed', { object: { ...pet, status: 'sold' }, previous: { status: 'available' } }),
        event('pet.deleted', { object: pet }),
      ]),
    ).toEqual([
      'Added as “Rex”',
      'Renamed from “Max” to “Rex”. Category changed from Puppies to Dogs',
      'Marked as sold',
      'Deleted',
    ]);
  });

  test('names a category that was deleted later', () => {
    const moved = event('pet.updated', { object: pet, previous: { categoryId: 1001 } });
    const deleted = event('category.deleted', { object: { id: 1001, name: 'Hounds' } });
    const textOf = (categories: typeof CATEGORIES) => fromEvents([moved], categories)[0]?.text;
    const all = [...CATEGORIES, ...(deletedCategories([moved, deleted]) as typeof CATEGORIES)];
    expect(textOf(all)).toBe('Category changed from Hounds to Dogs');
    expect(textOf(CATEGORIES)).toBe('Category changed from category 1001 to Dogs');
    expect([namesOther([moved], CATEGORIES), namesOther([moved], all)]).toEqual([true, false]);
  });

  test('shows an order once, even if the service closed it, and keeps the key that acted', () => {
    const change = { object: { ...pet, status: 'pending' }, previous: { status: 'available' } };
    const byService = { requestId: null, actor: null, timestamp: '2026-11-18T05:00:00.000Z' };
    const entries = fromEvents(
      [
        event('order.placed', { object: order }),
        event('pet.status_changed', change),
        event('order.expired', { object: order, previous: {} }, byService),
        event('pet.status_changed', change, byService),
        event('pet.status_changed', change, { requestId: 'r2' }),
      ],
      CATEGORIES,
    );
    expect(entries.map(({ text, keyId, orderId }) => [text, keyId, orderId])).toEqual([
      ['Held by order 5', 'key_1', 5],
      ['Order 5 expired, available again', undefined, 5],
      ['Marked as pending', 'key_1', undefined],
    ]);
  });

  test('names the order of a change if the key may not read events', () => {
    const entry = (to: string, orderId: number | null) =>
      fromHistory(
        {
          sequence: 1,
          timestamp: AT,
          type: 'pet.status_changed',
          changes: [{ field: 'status', from: 'available', to }],
          orderId,
          actor: null,
          requestId: null,
        } as HistoryEntry,
        CATEGORIES,
      ).text;
    expect([entry('pending', 5), entry('available', 5), entry('sold', 5), entry('sold', null)]).toEqual([
      'Held by order 5',
      'Released from order 5',
      'Sold with order 5',
      'Marked as sold',
    ]);
  });
});

describe('the latest change of each pet', () => {
  test('is the change to the pet or to its order, and leaves out events about anything else', () => {
    const other = { ...pet, id: 8, name: 'Mia' };
    const latest = latestByPet(
      [
        event('key.created', { object: { id: 'key_2', name: 'Till', plan: 'pro' } }),
        event('order.placed', { object: order }),
        event('pet.status_changed', { object: { ...pet, status: 'pending' }, previous: { status: 'available' } }),
        event('pet.created', { object: other }, { requestId: 'r0' }),
        event('pet.created', { object: pet }, { requestId: 'r0' }),
      ],
      CATEGORIES,
    );
    expect([...latest].map(([id, { text }]) => [id, text])).toEqual([
      ['7', 'Held by order 5'],
      ['8', 'Added as “Mia”'],
    ]);
  });
});
