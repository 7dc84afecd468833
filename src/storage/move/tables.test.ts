import { describe, expect, test } from 'bun:test';
import { type CatalogRow, pairTables, tablesIn } from './tables.ts';

type Columns = Record<string, Partial<CatalogRow>>;

const table = (name: string, columns: Columns): CatalogRow[] =>
  Object.entries(columns).map(([column_name, row]) => ({
    table_name: name,
    column_name,
    is_required: 0n,
    has_default: 0n,
    key_position: null,
    ...row,
  }));

const ID = { id: { key_position: 1n, is_required: 1n } };
const pairUp = (source: CatalogRow[], target: CatalogRow[]) => pairTables(tablesIn(source), tablesIn(target));

describe('the tables of a move', () => {
  test('have the columns of both sides in a fixed order, and each side has its own key', () => {
    const source = table('pets', { store: { key_position: 2n }, name: {}, ...ID });
    const target = table('pets', { ...ID, name: {}, store: {} });
    const [pair] = pairUp(source, target);
    expect(pair).toMatchObject({
      columns: ['id', 'name', 'store'],
      from: { key: ['id', 'store'] },
      to: { key: ['id'] },
    });
  });

  test('leave out columns that only one side has, if they have a default', () => {
    const marked = table('pets', { ...ID, mark: { has_default: 1n, is_required: 1n } });
    for (const [source, target] of [
      [marked, table('pets', ID)],
      [table('pets', ID), marked],
    ] as const)
      expect(pairUp(source, target)[0]).toMatchObject({ columns: ['id'], nullable: [] });
  });

  test('list the columns that may be null in the source but not in the target', () => {
    const required = table('events', { ...ID, sequence: { is_required: 1n } });
    const optional = table('events', { ...ID, sequence: {} });
    expect(pairUp(optional, required)[0]?.nullable).toEqual(['sequence']);
    expect(pairUp(required, optional)[0]?.nullable).toEqual([]);
  });

  test('do not include the environment or the state of a move', () => {
    const own = ['deployment', 'unfinished_move'].flatMap((name) => table(name, ID));
    expect(pairUp(own, table('pets', ID).slice(1))).toEqual([]);
  });

  test.each([
    ['only one database has the table pets', [], table('pets', ID)],
    ['only one database has the table pets', table('pets', ID), []],
    ['only one database has the column pets.name', table('pets', { ...ID, name: {} }), table('pets', ID)],
    ['only one database has the column pets.name', table('pets', ID), table('pets', { ...ID, name: {} })],
  ])('are refused if data would be lost: %s', (message, source, target) => {
    expect(() => pairUp(source, target)).toThrow(message);
  });
});
