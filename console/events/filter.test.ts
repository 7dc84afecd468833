import { describe, expect, test } from 'bun:test';
import type { LiveEvent } from '../data/live.ts';
import { askedOf, isFiltered, isSparse, matches, readFilter, writeFilter } from './filter.ts';

const read = (search: string) => readFilter(new URLSearchParams(search));
const event = (type: string, object: object, keyId = 'key_1') =>
  ({ type, data: { object }, actor: { keyId } }) as unknown as LiveEvent;

const PET = event('pet.created', { id: 7, name: 'Rex', categoryId: 1 });
const ORDER = event('order.placed', { id: 4, petId: 7 });
const OTHER_ORDER = event('order.placed', { id: 7, petId: 8 });
const CATEGORY = event('category.created', { id: 7, name: 'Dogs' }, 'key_2');
const ALL = { PET, ORDER, OTHER_ORDER, CATEGORY };

describe('the filter of the event feed', () => {
  test.each([
    ['', ['PET', 'ORDER', 'OTHER_ORDER', 'CATEGORY']],
    ['types=order.placed', ['ORDER', 'OTHER_ORDER']],
    ['types=order.placed,pet.created', ['PET', 'ORDER', 'OTHER_ORDER']],
    ['pet=7', ['PET', 'ORDER']],
    ['order=7', ['OTHER_ORDER']],
    ['order=4&pet=7', ['ORDER']],
    ['order=4&pet=8', []],
    ['by=key_2', ['CATEGORY']],
    ['by=key_1&pet=7', ['PET', 'ORDER']],
    ['types=nothing.known', ['PET', 'ORDER', 'OTHER_ORDER', 'CATEGORY']],
  ])('%s shows exactly %p', (search, names) => {
    const shown = Object.entries(ALL).filter(([, one]) => matches(one, read(search)));
    expect(shown.map(([name]) => name)).toEqual(names);
  });

  test('is applied by the service where possible, and by the console for several types', () => {
    const asked = (search: string) => [askedOf(read(search)), isSparse(read(search)), isFiltered(read(search))];
    expect(asked('')).toEqual([{}, false, false]);
    expect(asked('types=pet.created')).toEqual([{ type: 'pet.created' }, false, true]);
    expect(asked('types=pet.created,pet.deleted')).toEqual([{}, true, true]);
    expect(asked('pet=7&by=key_1')).toEqual([{ petId: 7n, keyId: 'key_1' }, false, true]);
    expect(asked('types=pet.created&order=4')).toEqual([{ type: 'pet.created', orderId: 4n }, false, true]);
  });

  test('is written to the URL without empty parameters, and keeps other parameters', () => {
    const search = new URLSearchParams('event=evt_1&pet=7&types=pet.created');
    expect(String(writeFilter(search, { pet: '' }))).toBe('event=evt_1&types=pet.created');
    expect(String(writeFilter(search, { types: [], order: '4' }))).toBe('event=evt_1&pet=7&order=4');
  });
});
