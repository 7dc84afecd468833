import { describe, expect, test } from 'bun:test';
import { newCategories, readImport, withCategories } from './import-rows.ts';

const CATEGORIES = [
  { id: 1, name: 'Dogs' },
  { id: 2, name: 'Twice' },
  { id: 3, name: 'twice' },
];
const read = (text: string) => readImport(new File([text], 'pets.csv'), async () => CATEGORIES);

describe('the rows of an import', () => {
  test('may spell a status and a category in any case', async () => {
    const { rows } = await read('Name;Category;STATUS\nRex; dogs ;Available\nBo;DOGS;SOLD \nMia;Dogs;\n');
    expect(rows.map(({ pet }) => pet)).toEqual([
      { name: 'Rex', categoryId: 1n, status: 'available' },
      { name: 'Bo', categoryId: 1n, status: 'sold' },
      { name: 'Mia', categoryId: 1n },
    ]);
  });

  test('wait for a new category, and are complete once it exists', async () => {
    const { rows } = await read(
      'name,category,status\nPolly,Parrots,\nCoco,parrots,sold\nTom,Newts,\nAnn,Twice,\nEva,Parrots,lost\n',
    );
    expect(newCategories(rows)).toEqual([
      { name: 'Parrots', count: 2 },
      { name: 'Newts', count: 1 },
    ]);
    expect(rows.every(({ pet, faults }) => pet === undefined && faults.length > 0)).toBe(true);
    const completed = withCategories(rows, new Map([['parrots', 9]]));
    expect(completed.map(({ pet }) => pet)).toEqual([
      { name: 'Polly', categoryId: 9 },
      { name: 'Coco', categoryId: 9, status: 'sold' },
      undefined,
      undefined,
      undefined,
    ]);
    expect(completed.map(({ faults }) => faults.length)).toEqual([0, 0, 1, 1, 2]);
  });

  test('have no room for columns that pets do not have, and these are named', async () => {
    expect((await read('Name,Price,category, Colour ,\nRex,9,Dogs,red,\n')).ignored).toEqual(['Price', 'Colour']);
    expect((await read('name,categoryId\nRex,1\n')).ignored).toEqual([]);
  });

  test('cannot come from a workbook, and the message says how to save it', async () => {
    const workbook = new File([new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])], 'pets.xlsx');
    await expect(readImport(workbook, async () => [])).rejects.toThrow(
      'pets.xlsx is a spreadsheet; save it as CSV (UTF-8) and import that file.',
    );
  });
});
