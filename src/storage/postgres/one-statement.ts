import type { SqlValue } from '../sql.ts';

export type Statement = { text: string; values: readonly SqlValue[] };

/** Only a few statements are combined, because the server parses each new combination once per connection. */
const MAX_STATEMENTS = 8;
const MAX_KNOWN = 500;

const CHANGE = /^\s*(INSERT INTO|UPDATE|DELETE FROM) (\w+)/;
const ONE_ROW = /^(.* VALUES )(\([^()]*\))(.*)$/s;

const shift = (text: string, by: number): string => text.replace(/\$(\d+)/g, (_, index) => `$${Number(index) + by}`);

const widthOf = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, index]) => Number(index)));

const repeat = (text: string, rows: number): string | undefined => {
  if (rows === 1) return text;
  const [, head, row, tail] = ONE_ROW.exec(text) ?? [];
  if (head === undefined || row === undefined || /\$/.test(tail ?? '')) return undefined;
  const width = widthOf(row);
  return `${head}${Array.from({ length: rows }, (_, index) => shift(row, index * width)).join(', ')}${tail}`;
};

/**
 * The parts of a statement do not see each other's changes. So no part may read a table, and two parts may change the
 * same table only if both insert rows.
 */
const areIndependent = (texts: readonly string[]): boolean => {
  const verbs = new Map<string, string>();
  for (const text of texts) {
    const [, verb, table] = CHANGE.exec(text) ?? [];
    if (verb === undefined || table === undefined || /\b(SELECT|RETURNING)\b/.test(text)) return false;
    if (verbs.has(table) && !(verb === 'INSERT INTO' && verbs.get(table) === verb)) return false;
    verbs.set(table, verb);
  }
  return true;
};

const known = new Map<string, string | undefined>();

const combine = (rowsOf: ReadonlyMap<string, number>): string | undefined => {
  if (!areIndependent([...rowsOf.keys()])) return undefined;
  let width = 0;
  const parts: string[] = [];
  for (const [text, rows] of rowsOf) {
    const part = repeat(text, rows);
    if (part === undefined) return undefined;
    parts.push(shift(part, width));
    width += widthOf(part);
  }
  const last = parts.pop() as string;
  return parts.length === 0
    ? last
    : `WITH ${parts.map((part, index) => `part${index} AS (${part})`).join(', ')} ${last}`;
};

/**
 * Combines statements into one that commits on its own. This needs only one round trip, and no transaction can stay
 * open. Returns undefined if the statements depend on each other or are too many.
 */
export const toOneStatement = (statements: readonly Statement[]): Statement | undefined => {
  if (statements.length > MAX_STATEMENTS) return undefined;
  const groups = Map.groupBy(statements, ({ text }) => text);
  const key = [...groups].map(([text, { length }]) => `${length} ${text}`).join('\n');
  if (!known.has(key)) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, combine(new Map([...groups].map(([text, { length }]) => [text, length]))));
  }
  const text = known.get(key);
  return text === undefined ? undefined : { text, values: [...groups.values()].flat().flatMap(({ values }) => values) };
};
