import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Delivery, Petstore } from '../client/src/index.ts';
import { tellableTypes, visibleTypes } from '../console/data/event-types.ts';
import { findEvent } from '../console/data/find-event.ts';
import type { LiveEvent } from '../console/data/live.ts';
import { matches, readFilter, writeFilter } from '../console/events/filter.ts';
import { healthWords } from '../console/webhooks/outcome.ts';
import { SCOPES, type Scope } from '../src/kernel/contract.ts';
import { EVENT_TYPES } from '../src/kernel/event.ts';
import { readableEvents } from '../src/resources/webhooks/event-visibility.ts';
import { ADMIN_KEY, type Service, startService } from './service.ts';

describe('events in the console', () => {
  test('offers webhooks the types that their key may read, and filters the types that the feed shows', () => {
    for (const scope of SCOPES) {
      const can = (asked: Scope) => asked === scope;
      expect(tellableTypes(can)).toEqual(readableEvents([scope]));
    }
    expect(visibleTypes(() => true)).toEqual([...EVENT_TYPES]);
    expect(visibleTypes(() => false).some((type) => /^(key|webhook)\./.test(type))).toBe(false);
  });

  test('keeps filters in the address without touching other parameters', () => {
    const search = writeFilter(new URLSearchParams('event=1'), {
      types: ['pet.created', 'order.placed'],
      pet: '7',
    });
    expect(search.toString()).toBe('event=1&types=pet.created%2Corder.placed&pet=7');
    expect(readFilter(search)).toEqual({ types: ['pet.created', 'order.placed'], pet: '7', order: '', by: '' });
    expect(writeFilter(search, { types: [], pet: '' }).toString()).toBe('event=1');
  });

  test('matches a pet with its own events and those of its orders, and an order only with its own', () => {
    const pet = { type: 'pet.created', data: { object: { id: 7n, categoryId: 1 } } } as unknown as LiveEvent;
    const order = { type: 'order.placed', data: { object: { id: 7, petId: 8 } } } as unknown as LiveEvent;
    const none = { types: [], pet: '', order: '', by: '' };
    const found = (filter: object) => [pet, order].filter((event) => matches(event, { ...none, ...filter }));
    expect(found({})).toEqual([pet, order]);
    expect(found({ pet: '7' })).toEqual([pet]);
    expect(found({ pet: '8' })).toEqual([order]);
    expect(found({ order: '7' })).toEqual([order]);
    expect(found({ types: ['pet.created'], order: '7' })).toEqual([]);
  });

  test('summarizes the health of a webhook', () => {
    const deliveries = [
      { state: 'delivered', attempt: 1 },
      { state: 'delivered', attempt: 2 },
      { state: 'pending', attempt: 0 },
      { state: 'pending', attempt: 3 },
      { state: 'failed', attempt: 10 },
    ] as Delivery[];
    expect(healthWords([])).toBe('no deliveries yet');
    expect(healthWords(deliveries)).toBe('last 5: 2 delivered, 1 not sent yet, 1 retrying, 1 failed');
  });
});

describe('finding one event by its sequence', () => {
  let service: Service;
  const connect = (key: string) => new Petstore({ key, baseUrl: service.url('/v1') });
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const find = (key: string, sequence: string) => findEvent(connect(key), sequence, new AbortController().signal);

  test('returns the event, unless the key may not see it', async () => {
    const key = await service.issueKey({ scopes: ['events:read'] });
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const events = await connect(ADMIN_KEY).events.list().toArray();
    expect(events.map(({ type }) => type)).toEqual(['key.created', 'key.created', 'pet.created']);
    for (const event of events) expect(await find(ADMIN_KEY, String(event.sequence))).toEqual(event);
    expect(await find(key, '3')).toEqual(events[2] as LiveEvent);
    expect(await find(key, '2')).toBeNull();
  });

  test('returns null for an unknown sequence, and for an address that has none', async () => {
    for (const text of ['999999', '-1', '', 'evt_1', '9'.repeat(40)]) expect(await find(ADMIN_KEY, text)).toBeNull();
  });

  test('throws any other failure', async () => {
    const found = find(await service.issueKey({ scopes: ['pets:read'] }), '1');
    await expect(found).rejects.toMatchObject({ code: 'insufficient_scope' });
  });
});
