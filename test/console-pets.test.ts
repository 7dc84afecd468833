import { describe, expect, test } from 'bun:test';
import type { Categories } from '../cli/rows/category.ts';
import { NEXT_STATUSES } from '../console/pets/moves.ts';
import { EXPORTS } from '../console/pets/transfer/export-formats.ts';
import { readImport, refusedText } from '../console/pets/transfer/import-rows.ts';
import { PET_STATUSES, refuseMove } from '../src/resources/pets/pet.ts';

const CATEGORIES: Categories = [
  { id: 1, name: 'Dogs' },
  { id: 2, name: 'Cats' },
];

const read = (text: string, name = 'pets.csv') => readImport(new File([text], name), async () => CATEGORIES);

describe('pets in the console', () => {
  test('offers exactly the status changes that the service allows', () => {
    const isAllowed = (from: (typeof PET_STATUSES)[number], to: (typeof PET_STATUSES)[number]): boolean => {
      const pet = { id: 1n, name: 'Rex', categoryId: 1n, version: 1n, heldByOrderId: null, status: from };
      try {
        refuseMove(pet as Parameters<typeof refuseMove>[0], to);
        return from !== to;
      } catch {
        return false;
      }
    };
    for (const from of PET_STATUSES) {
      expect(NEXT_STATUSES[from]).toEqual(PET_STATUSES.filter((to) => isAllowed(from, to)));
    }
  });

  test('accepts semicolons and tabs, spelled-out columns, category names, and ids beyond 2^53', async () => {
    const texts = [
      'Name;Category ID;other\nRex;9223372036854775807;x',
      'name\tcategory\nRex\tdogs',
      '\uFEFF[{"name":"Rex","categoryId":9223372036854775807}]',
    ];
    const imports = await Promise.all(texts.map((text) => read(text)));
    expect(imports.map(({ rows }) => rows.map(({ pet }) => pet))).toEqual([
      [{ name: 'Rex', categoryId: 9223372036854775807n }],
      [{ name: 'Rex', categoryId: 1n }],
      [{ name: 'Rex', categoryId: 9223372036854775807n }],
    ]);
  });

  test('imports the names of its own CSV export unchanged, and exports none as a formula', async () => {
    const names = ['=1+1', '+1', '-1', '@A1', '\tx', "'=1", "''=1", "'tis", 'Rex'];
    const pet = { id: 1, category: 'Dogs', categoryId: 1, status: 'sold' };
    const { start, line } = EXPORTS.csv;
    const text = start + names.map((name) => `${line({ ...pet, name })}\n`).join('');
    expect(text).not.toMatch(/^1,"?[=+\-@\t\r]/m);
    const { rows } = await read(text);
    expect(rows.map(({ pet }) => pet?.name)).toEqual(names);
    expect(EXPORTS.raw.line({ ...pet, name: '=1+1' })).toBe('1,=1+1,1,sold');
  });

  test('lists the faults of every invalid row, and returns the rows with the reason', async () => {
    const { rows, heading } = await read('name,categoryId,status\n,1,\nRex,x,gone\nMia,2,\nToo,many,cells,here\n');
    const wrong = rows.filter(({ pet }) => !pet);
    expect(wrong.map(({ place, faults }) => [place, ...faults])).toEqual([
      ['line 2', 'name must not be empty or only white space'],
      [
        'line 3',
        'category must be the name of one category, or a whole number',
        'status must be one of available, pending, sold',
      ],
      ['line 5', 'has 4 fields, but the first line has 3'],
    ]);
    const file = refusedText(
      heading,
      wrong.map(({ text, faults }) => ({ text, reason: faults.join('; ') })),
    );
    expect(file).toStartWith('name,categoryId,status,reason\n,1,,name must not be empty or only white space\n');
  });

  test('reads one JSON object per line, and reports lines that are not JSON', async () => {
    const { rows } = await read('{"name":"Rex","categoryId":1}\n\n{"name":', 'pets.ndjson');
    expect(rows.map(({ place, faults }) => [place, faults])).toEqual([
      ['line 1', []],
      ['line 3', ['is not valid JSON']],
    ]);
    await expect(read('name,status\nRex,sold')).rejects.toThrow('pets.csv has no "category" column');
    await expect(read(' \n')).rejects.toThrow('pets.csv is empty');
    expect((await read('name,category\rRex,dogs\r')).rows).toMatchObject([{ place: 'line 2', pet: { name: 'Rex' } }]);
    expect((await read('[{}, {"name":"Rex","categoryId":1}]', 'pets.json')).rows).toMatchObject([
      { place: 'item 1, line 1', faults: ['name is required', 'category is required'] },
      { place: 'item 2, line 1', pet: { name: 'Rex' } },
    ]);
  });
});
