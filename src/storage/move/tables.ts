import type { SqlValue } from '../sql.ts';
import { UNFINISHED_MOVE } from '../unusable.ts';

export type Value = Exclude<SqlValue, number>;
export type Row = Readonly<Record<string, Value>>;

type Column = { name: string; isRequired: boolean; hasDefault: boolean };
/** `key` lists the columns that identify a row. `from` is the name of the table, possibly with a WHERE clause. */
export type Table = { name: string; from: string; columns: readonly Column[]; key: readonly string[] };

export type CatalogRow = {
  table_name: string;
  column_name: string;
  is_required: bigint;
  has_default: bigint;
  key_position: bigint | null;
};

export const tablesIn = (catalog: readonly CatalogRow[]): Table[] =>
  [...Map.groupBy(catalog, ({ table_name }) => table_name)].map(([name, rows]) => ({
    name,
    from: name,
    columns: rows.map((row) => ({
      name: row.column_name,
      isRequired: row.is_required === 1n,
      hasDefault: row.has_default === 1n,
    })),
    key: rows
      .filter(({ key_position }) => key_position !== null)
      .sort((a, b) => Number(a.key_position) - Number(b.key_position))
      .map(({ column_name }) => column_name),
  }));

/** These tables describe the database itself. For example, `deployment` contains its schema version and environment. */
const NOT_MOVED = new Set(['deployment', UNFINISHED_MOVE]);

export type Pair = {
  from: Table;
  to: Table;
  /** The column names, sorted so that the checksums of both engines can be compared. */
  columns: readonly string[];
  /** Columns that may be null in the source but not in the target. */
  nullable: readonly string[];
};

const refuse = (what: string): never => {
  throw new Error(`the schemas differ: ${what}`);
};

const namesOf = (columns: readonly Column[]) => new Set(columns.map(({ name }) => name));

/** If only one engine has a column, such as `keys.changed`, the column is not copied and must have a default. */
const pair = (from: Table, to: Table): Pair => {
  const [ours, theirs] = [namesOf(from.columns), namesOf(to.columns)];
  const alone = ours.symmetricDifference(theirs);
  const lost = [...from.columns, ...to.columns].find(({ name, hasDefault }) => alone.has(name) && !hasDefault);
  if (lost) refuse(`only one database has the column ${to.name}.${lost.name}`);
  const required = namesOf(to.columns.filter(({ isRequired }) => isRequired));
  const nullable = from.columns.filter(({ name, isRequired }) => !isRequired && required.has(name));
  return { from, to, columns: [...ours.intersection(theirs)].sort(), nullable: [...namesOf(nullable)] };
};

/** Keeps the order of the target's tables. PostgreSQL checks foreign keys, so its list has referenced tables first. */
export const pairTables = (source: readonly Table[], target: readonly Table[]): Pair[] => {
  const [sources, targets] = [source, target].map(
    (tables) => new Map(tables.filter(({ name }) => !NOT_MOVED.has(name)).map((table) => [table.name, table])),
  ) as [Map<string, Table>, Map<string, Table>];
  for (const name of new Set(sources.keys()).symmetricDifference(targets))
    refuse(`only one database has the table ${name}`);
  return [...targets.values()].map((to) => pair(sources.get(to.name) as Table, to));
};
