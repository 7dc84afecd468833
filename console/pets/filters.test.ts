import { describe, expect, test } from 'bun:test';
import type { Pet } from '../../client/src/index.ts';
import { categoryName } from '../categories/category.ts';
import { fits, isNarrow, readFilters, readIds, readSearch, showSearch, toQuery, toSearch } from './filters.ts';

const read = (search: string) => readFilters(new URLSearchParams(search));

describe('the filters in the address bar', () => {
  test.each([
    ['', { sort: 'newest' }],
    ['status=sold&categoryId=-7&sort=oldest', { status: 'sold', categoryId: '-7', sort: 'oldest' }],
    ['status=lost&categoryId=7a&sort=size&ids=x', { sort: 'newest' }],
    ['name=%20re%20', { name: 're', sort: 'newest' }],
    ['name=re&sort=name-desc', { name: 're', sort: 'name-desc' }],
    ['name=re&sort=oldest', { name: 're', sort: 'oldest' }],
  ])('%s are valid or dropped', (search, filters) => {
    expect(read(search)).toEqual(filters as ReturnType<typeof read>);
  });

  test('become a query with every digit, in the order that the user chose', () => {
    const big = '9223372036854775807';
    expect(toQuery(read(`ids=${big},7&categoryId=${big}`))).toEqual({
      ids: [BigInt(big), 7n],
      categoryId: BigInt(big),
      order: 'desc',
    });
    expect(toQuery(read('status=sold&name=re'))).toEqual({ status: 'sold', search: 're', order: 'desc' });
    const orders = ['newest', 'oldest', 'name', 'name-desc'].map((sort) => toQuery(read(`sort=${sort}`)));
    expect(orders).toEqual([
      { order: 'desc' },
      { order: 'asc' },
      { sort: 'name', order: 'asc' },
      { sort: 'name', order: 'desc' },
    ]);
  });

  test('are narrow if more than the status is set', () => {
    expect(['status=sold', 'name=re', 'categoryId=7', 'ids=7'].map((search) => isNarrow(read(search)))).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});

describe('ids', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => index).join('\n');

  test('may be separated by anything, are not repeated, and are at most 100', () => {
    expect(readIds(' 7, 8;9\n8\t-1 ')).toBe('7,8,9,-1');
    expect(readIds(many(100))?.split(',')).toHaveLength(100);
    expect(readIds(many(101))).toBeUndefined();
  });

  test.each(['x', '7,x', '1.5', '12345678901234567890'])('cannot be %s', (text) => {
    expect(readIds(text)).toBeUndefined();
  });
});

describe('the search field', () => {
  test.each([
    [' re ', { name: 're', ids: '' }],
    ['7', { name: '', ids: '7' }],
    ['7, 8', { name: '', ids: '7,8' }],
    ['"7"', { name: '7', ids: '' }],
    ['7 dwarfs', { name: '7 dwarfs', ids: '' }],
    ['', { name: '', ids: '' }],
    ['12345678901234567890', undefined],
  ])('%s is read as %p', (text, meant) => {
    expect(readSearch(text)).toEqual(meant);
  });

  test.each(['name=re', 'ids=7,8', 'name=7'])('shows %s as the user would type it', (search) => {
    const { name = '', ids = '' } = read(search);
    expect(readSearch(showSearch(read(search)))).toEqual({ name, ids });
  });

  test('keeps the filters of a view in the address, without the open pet', () => {
    expect(toSearch(read('pet=9&status=sold&name=re&do=add'))).toBe('status=sold&name=re');
    expect(toSearch(read('pet=9'))).toBe('');
  });
});

describe('a new pet', () => {
  const pet = { id: 7, name: 'Ärmel Rex', categoryId: 2n ** 60n, status: 'available' } as unknown as Pet;

  test.each([
    ['', true],
    ['status=available', true],
    ['status=sold', false],
    [`categoryId=${2n ** 60n}`, true],
    [`categoryId=${2n ** 60n + 1n}`, false],
    ['ids=8,7', true],
    ['ids=77', false],
    ['name=ärm', true],
    ['name=ÄRM', true],
    ['name=rex', true],
    ['name=max', false],
  ])('matches %s: %p', (search, isFitting) => {
    expect(fits(pet, read(search))).toBe(isFitting);
  });

  test('has a category with a name, or its id', () => {
    const categories = [
      { id: 2n ** 60n, name: 'Dogs' },
      { id: 3, name: null },
    ];
    expect([2n ** 60n, 2n ** 60n + 1n, 3].map((id) => categoryName(categories, id))).toEqual([
      'Dogs',
      '1152921504606846977',
      '3',
    ]);
  });
});
