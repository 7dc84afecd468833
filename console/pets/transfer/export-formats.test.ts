import { describe, expect, test } from 'bun:test';
import type { ListPetsQuery, Petstore } from '../../../client/src/index.ts';
import { readParts } from './export-formats.ts';
import { readImport } from './import-rows.ts';

const create = (pages: object[][]) => {
  const asked: { query?: ListPetsQuery; options?: { signal?: AbortSignal } } = {};
  const pageAt = (index: number): object => ({
    items: pages[index],
    next: async () => (index + 1 < pages.length ? pageAt(index + 1) : undefined),
  });
  const list = (query: ListPetsQuery, options: { signal?: AbortSignal }) => {
    Object.assign(asked, { query, options });
    return { page: async () => pageAt(0) };
  };
  return { asked, petstore: { pets: { list } } as unknown as Pick<Petstore, 'pets'> };
};

describe('an export', () => {
  test('has the pets of every page that match the filters, and can be stopped', async () => {
    const { asked, petstore } = create([
      [
        { id: 1, name: '=1+1', categoryId: 7, status: 'sold' },
        { id: 2n ** 60n, name: 'Mia', categoryId: 7 },
      ],
      [{ id: 3, name: 'Rex', categoryId: 7, status: 'sold' }],
    ]);
    const { signal } = new AbortController();
    const added: number[] = [];
    const parts = await readParts(petstore, { status: 'sold', sort: 'oldest' }, [], 'csv', {
      signal,
      add: (done) => void added.push(done),
    });
    expect(parts).toEqual([
      '\uFEFFid,name,category,status\n',
      "1,'=1+1,7,sold\n",
      '1152921504606846976,Mia,7,\n',
      '3,Rex,7,sold\n',
    ]);
    expect(added).toEqual([2, 1]);
    expect(asked.query).toEqual({ status: 'sold', order: 'asc', limit: 100 });
    expect(asked.options?.signal).toBe(signal);
  });

  test('for Excel names the categories, and can be imported again', async () => {
    const names = ['Müsli', 'Twice', 'twice', '=1+1', '7', null];
    const categories = names.map((name, index) => ({ id: index + 1, name }));
    const pets = categories.map(({ id }) => ({ id, name: `Pet ${id}`, categoryId: id, status: 'sold' }));
    const { petstore } = create([pets]);
    const read = (format: 'csv' | 'raw' | 'ndjson') =>
      readParts(petstore, { sort: 'oldest' }, categories, format, {
        signal: new AbortController().signal,
        add: () => undefined,
      });
    const csv = await read('csv');
    expect(csv.map((line) => line.split(',')[2])).toEqual(['category', 'Müsli', '2', '3', '4', '5', '6']);
    const { rows, ignored } = await readImport(new File(csv, 'pets.csv'), async () => categories);
    expect(rows.map(({ pet }) => Number(pet?.categoryId))).toEqual(categories.map(({ id }) => id));
    expect(ignored).toEqual(['id']);
    expect((await read('raw')).slice(0, 2)).toEqual(['id,name,categoryId,status\n', '1,Pet 1,1,sold\n']);
    expect((await read('ndjson'))[1]).toBe('{"status":"sold","id":1,"name":"Pet 1","categoryId":1}\n');
  });
});
