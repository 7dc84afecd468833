import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Categories } from '../console/pets/category.ts';
import { NEXT_STATUSES } from '../console/pets/moves.ts';
import { csvField, readCsv } from '../console/pets/transfer/csv.ts';
import { EXPORTS } from '../console/pets/transfer/export-formats.ts';
import { readImport, refusedText } from '../console/pets/transfer/import-rows.ts';
import { PET_STATUSES, refuseMove } from '../src/resources/pets/pet.ts';

const CATEGORIES: Categories = [
  { id: 1, name: 'Dogs' },
  { id: 2, name: 'Cats' },
];

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

  test('parses every CSV field as it was written', () => {
    const field = fc.string().filter((text) => !text.includes('\r'));
    const rows = fc.array(fc.tuple(field, field, field), { minLength: 1 });
    fc.assert(
      fc.property(rows, (written) => {
        const text = [['a', 'b', 'c'], ...written].map((cells) => cells.map(csvField).join(',')).join('\n');
        const full = written.filter((cells) => cells.some((cell) => cell.trim() !== ''));
        const read = readCsv(text).slice(1);
        expect(read.map(({ fields }) => fields).filter((cells) => cells.some((cell) => cell.trim() !== ''))).toEqual(
          full,
        );
      }),
    );
  });

  test('accepts semicolons and tabs, spelled-out columns, category names, and ids beyond 2^53', () => {
    const texts = [
      'Name;Category ID;other\nRex;9223372036854775807;x',
      'name\tcategory\nRex\tdogs',
      '\uFEFF[{"name":"Rex","categoryId":9223372036854775807}]',
    ];
    const read = texts.map((text) => readImport(text, CATEGORIES).rows.map(({ pet }) => pet));
    expect(read).toEqual([
      [{ name: 'Rex', categoryId: 9223372036854775807n }],
      [{ name: 'Rex', categoryId: 1n }],
      [{ name: 'Rex', categoryId: 9223372036854775807n }],
    ]);
  });

  test('imports the names of its own CSV export unchanged, and exports none as a formula', () => {
    const names = ['=1+1', '+1', '-1', '@A1', '\tx', "'=1", "''=1", "'tis", 'Rex'];
    const pet = { id: 1, categoryId: 1, status: 'sold' };
    const { start, line } = EXPORTS.csv;
    const text = start + names.map((name) => `${line({ ...pet, name })}\n`).join('');
    expect(readCsv(text).filter(({ fields }) => /^[=+\-@\t\r]/.test(fields[1] ?? ''))).toEqual([]);
    expect(readImport(text, CATEGORIES).rows.map(({ pet }) => pet?.name)).toEqual(names);
  });

  test('lists the faults of every invalid row, and returns the rows with the reason', () => {
    const { rows, heading } = readImport(
      'name,categoryId,status\n,1,\nRex,x,gone\nMia,2,\nToo,many,cells,here\n',
      CATEGORIES,
    );
    const wrong = rows.filter(({ pet }) => !pet);
    expect(wrong.map(({ line, faults }) => [line, ...faults])).toEqual([
      [2, 'name must not be empty or only whitespace'],
      [
        3,
        'categoryId must be the name of a category, or a whole number',
        'status must be one of available, pending, sold',
      ],
      [5, 'has 4 fields, but the first line has 3'],
    ]);
    const file = refusedText(
      heading,
      wrong.map(({ text, faults }) => ({ text, reason: faults.join('; ') })),
    );
    expect(file).toStartWith('name,categoryId,status,reason\n,1,,name must not be empty or only whitespace\n');
  });

  test('reads one JSON object per line, and reports lines that are not JSON', () => {
    const { rows } = readImport('{"name":"Rex","categoryId":1}\n\n{"name":', CATEGORIES);
    expect(rows.map(({ line, faults }) => [line, faults])).toEqual([
      [1, []],
      [3, ['is not valid JSON']],
    ]);
    expect(() => readImport('name,status\nRex,sold', CATEGORIES)).toThrow('Missing column: categoryId');
    expect(() => readImport(' \n', CATEGORIES)).toThrow('There is nothing to import.');
  });
});
