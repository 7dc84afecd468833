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

const repeat = (text: string, count: number, areCounters: boolean): string | undefined => {
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

/** `order` contains the positions of the statements, sorted so that equal statements are next to each other. */
type Combination = { text: string; order: readonly number[] };

const combine = (statements: readonly Statement[]): Combination | undefined => {
  const groups = Map.groupBy(statements.keys(), (position) => (statements[position] as Statement).text);
  if (groups.size > 1 && !areIndependent([...groups.keys()])) return undefined;
  let width = 0;
  const parts: string[] = [];
  for (const [text, positions] of groups) {
    const areCounters = positions.every((position) => statements[position]?.isCounter);
    const part = repeat(text, positions.length, areCounters);
    if (part === undefined) return undefined;
    parts.push(shift(part, width));
    width += widthOf(part);
  }
  // PostgreSQL runs the main query first, then the WITH queries from last to first, so they are listed in reverse.
  const [first, ...others] = parts as [string, ...string[]];
  const named = others.map((part, index) => `part${index + 1} AS (${part})`).reverse();
  return { text: named.length === 0 ? first : `WITH ${named.join(', ')} ${first}`, order: [...groups.values()].flat() };
};

const known = new Map<string, Combination | undefined>();

/** Combines statements into one that commits on its own, needs one round trip, and cannot leave a transaction open. */
export const toOneStatement = (statements: readonly Statement[]): Statement | undefined => {
  if (statements.length === 0 || statements.length > MAX_STATEMENTS) return undefined;
  if (known.size >= MAX_KNOWN) known.clear();
  const key = statements.map(({ text, isCounter }) => `${isCounter} ${text}`).join('\n');
  const combination = known.getOrInsertComputed(key, () => combine(statements));
  if (!combination) return undefined;
  const { text, order } = combination;
  return { text, values: order.flatMap((position) => (statements[position] as Statement).values) };
};
