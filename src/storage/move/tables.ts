import type { SqlValue } from '../sql.ts';
import { UNFINISHED_MOVE } from '../unusable.ts';

export type Value = Exclude<SqlValue, number>;
export type Row = Readonly<Record<string, Value>>;

export const valuesOf = (row: Row, names: readonly string[]): Value[] => names.map((name) => row[name] as Value);

/** A column in either engine's catalog. The flags are 0 or 1. */
export type CatalogRow = {
  table_name: string;
  column_name: string;
  is_required: bigint;
  has_default: bigint;
  key_position: bigint | null;
};

/** `key` lists the columns that identify a row. */
export type Table = { name: string; columns: readonly CatalogRow[]; key: readonly string[] };

const namesOf = (columns: readonly CatalogRow[]): string[] => columns.map(({ column_name }) => column_name);

export const tablesIn = (catalog: readonly CatalogRow[]): Table[] =>
  [...Map.groupBy(catalog, ({ table_name }) => table_name)].map(([name, columns]) => {
    const inKey = columns.filter(({ key_position }) => key_position !== null);
    return { name, columns, key: namesOf(inKey.sort((a, b) => Number(a.key_position) - Number(b.key_position))) };
  });

/** These tables describe the database itself. For example, `deployment` contains its schema version and environment. */
const NOT_MOVED = new Set(['deployment', UNFINISHED_MOVE]);

const refuse = (what: string): never => {
  throw new Error(`the schemas differ: ${what}`);
};

/** If only one engine has a column, such as `keys.changed`, the column is not copied and must have a default. */
const pair = (from: Table, to: Table) => {
  const [ours, theirs] = [new Set(namesOf(from.columns)), new Set(namesOf(to.columns))];
  const alone = ours.symmetricDifference(theirs);
  const lost = namesOf([...from.columns, ...to.columns].filter(({ has_default }) => !has_default));
  for (const name of lost) if (alone.has(name)) refuse(`only one database has the column ${to.name}.${name}`);
  const required = namesOf(to.columns.filter(({ is_required }) => is_required));
  const optional = namesOf(from.columns.filter(({ is_required }) => !is_required));
  return {
    from,
    to,
    /** The column names, sorted so that the checksums of both engines can be compared. */
    columns: [...ours.intersection(theirs)].sort(),
    /** Columns that may be null in the source but not in the target. */
    nullable: optional.filter((name) => required.includes(name)),
  };
};

export type Pair = ReturnType<typeof pair>;

/** Keeps the order of the target's tables. PostgreSQL checks foreign keys, so its list has referenced tables first. */
export const pairTables = (source: readonly Table[], target: readonly Table[]): Pair[] => {
  const [sources, targets] = [source, target].map(
    (tables) => new Map(tables.filter(({ name }) => !NOT_MOVED.has(name)).map((table) => [table.name, table])),
  ) as [Map<string, Table>, Map<string, Table>];
  for (const name of new Set(sources.keys()).symmetricDifference(targets))
    refuse(`only one database has the table ${name}`);
  return [...targets.values()].map((to) => pair(sources.get(to.name) as Table, to));
};
