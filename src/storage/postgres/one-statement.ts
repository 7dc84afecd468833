import type { SqlValue } from '../sql.ts';

/** `isCounter` marks a statement that adds to a counter. A transaction has at most one such statement per counter. */
export type Statement = { text: string; values: readonly SqlValue[]; isCounter?: boolean };

// Longer combinations rarely repeat, and each connection must parse every new combination.
const MAX_STATEMENTS = 8;
const MAX_KNOWN = 500;

const CHANGE = /^\s*(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)/;
const UNFIT = /\b(?:SELECT|RETURNING)\b|^\s*(?:INSERT INTO|UPDATE|DELETE FROM) key/;
const ONE_ROW = /^(.* VALUES )(\([^()]*\))(.*)$/s;

const shift = (text: string, by: number): string => text.replace(/\$(\d+)/g, (_, index) => `$${Number(index) + by}`);

const widthOf = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, index]) => Number(index)));

type Rows = { count: number; areCounters: boolean };

const repeat = (text: string, { count, areCounters }: Rows): string | undefined => {
  if (count === 1) return text;
  const [, head, row, tail] = ONE_ROW.exec(text) ?? [];
  if (head === undefined || row === undefined || tail === undefined || tail.includes('$')) return undefined;
  // One statement cannot update the same row twice, and only counter statements are certain to update different rows.
  if (tail.includes('DO UPDATE') && !areCounters) return undefined;
  const width = widthOf(row);
  return `${head}${Array.from({ length: count }, (_, index) => shift(row, index * width)).join(', ')}${tail}`;
};

// Combined statements do not see each other's changes, so none of them may read, and no two of them may change the same
// table. None of them may change a key: Citus does not distribute keys by store, so it cannot change a key and a
// store's rows in one statement.
const areIndependent = (texts: readonly string[]): boolean => {
  const tables = texts.map((text) => (UNFIT.test(text) ? undefined : CHANGE.exec(text)?.[1]));
  return !tables.includes(undefined) && new Set(tables).size === tables.length;
};

const known = new Map<string, string | undefined>();

const combine = (rowsOf: ReadonlyMap<string, Rows>): string | undefined => {
  if (rowsOf.size > 1 && !areIndependent([...rowsOf.keys()])) return undefined;
  let width = 0;
  const parts: string[] = [];
  for (const [text, rows] of rowsOf) {
    const part = repeat(text, rows);
    if (part === undefined) return undefined;
    parts.push(shift(part, width));
    width += widthOf(part);
  }
  // PostgreSQL runs the main query first, then the WITH queries from last to first, so they are listed in reverse.
  const [first, ...others] = parts as [string, ...string[]];
  const named = others.map((part, index) => `part${index + 1} AS (${part})`).reverse();
  return named.length === 0 ? first : `WITH ${named.join(', ')} ${first}`;
};

/** Combines statements into one that commits on its own, needs one round trip, and cannot leave a transaction open. */
export const toOneStatement = (statements: readonly Statement[]): Statement | undefined => {
  if (statements.length > MAX_STATEMENTS) return undefined;
  const groups = Map.groupBy(statements, ({ text }) => text);
  const rowsOf = new Map<string, Rows>();
  for (const [text, group] of groups)
    rowsOf.set(text, { count: group.length, areCounters: group.every(({ isCounter }) => isCounter) });
  const key = [...rowsOf].map(([text, { count, areCounters }]) => `${count} ${areCounters} ${text}`).join('\n');
  if (!known.has(key)) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, combine(rowsOf));
  }
  const text = known.get(key);
  return text === undefined ? undefined : { text, values: [...groups.values()].flat().flatMap(({ values }) => values) };
};
