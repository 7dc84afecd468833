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
import { PATIENT_MS } from './patience.ts';
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
    const search = writeFilter(new URLSearchParams('event=evt_1'), {
      types: ['pet.created', 'order.placed'],
      pet: '7',
    });
    expect(search.toString()).toBe('event=evt_1&types=pet.created%2Corder.placed&pet=7');
    expect(readFilter(search)).toEqual({ types: ['pet.created', 'order.placed'], pet: '7', order: '' });
    expect(writeFilter(search, { types: [], pet: '' }).toString()).toBe('event=evt_1');
  });

  test('matches a pet with its own events and those of its orders, and an order only with its own', () => {
    const pet = { type: 'pet.created', data: { object: { id: 7n, categoryId: 1 } } } as unknown as LiveEvent;
    const order = { type: 'order.placed', data: { object: { id: 7, petId: 8 } } } as unknown as LiveEvent;
    const none = { types: [], pet: '', order: '' };
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

describe('finding one event by id', () => {
  let service: Service;
  const events: LiveEvent[] = [];
  const connect = (key: string) => new Petstore({ key, baseUrl: service.url('/v1') });
  beforeAll(async () => {
    service = await startService();
    const petstore = connect(ADMIN_KEY);
    const add = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) => petstore.pets.create({ name: `${index}`, categoryId: 1 })),
      );
    await add(3);
    // Issuing keys creates events that other keys may not see.
    for (let count = 0; count < 12; count += 1) await service.issueKey();
    await add(110);
    events.push(...(await petstore.events.list().toArray()));
  });
  afterAll(() => service.stop());

  const find = (key: string, id: string) => findEvent(connect(key), id, new AbortController().signal, PATIENT_MS);

  test('finds events with any number of newer ones', async () => {
    for (const event of [events[0], events[7], events.at(-1)]) {
      expect(await find(ADMIN_KEY, event?.id ?? '')).toEqual(event as LiveEvent);
    }
  });

  test('finds an event beyond others that the key may not see, and none of those', async () => {
    const key = await service.issueKey({ scopes: ['events:read'] });
    const before = events.filter(({ type }) => type === 'pet.created')[2] as LiveEvent;
    const next = events.find(({ type, sequence }) => type === 'pet.created' && sequence > before.sequence);
    expect(Number(next?.sequence) - before.sequence).toBeGreaterThan(10);
    expect(await find(key, before.id)).toEqual(before);
    const hidden = events.find(({ type }) => type === 'key.created') as LiveEvent;
    expect(await find(key, hidden.id)).toBeNull();
  });

  test('returns null for an unknown id', async () => {
    expect(await find(ADMIN_KEY, `evt_${'0'.repeat(24)}`)).toBeNull();
  });
});
