import type { PageRequest } from '../../kernel/contract.ts';
import { pageOf, type Statement } from '../../storage/page.sql.ts';
import type { Sql, SqlValue } from '../../storage/sql.ts';
import { inPrefix, listing, NAMED_COLUMNS, NAMED_PET } from './listing.sql.ts';
import type { NamePosition, Pet } from './pet.ts';
import { isByName, type PetSearch } from './pets.repository.ts';

export type NamedRow = Pet & { folded_name: string };

type Page = PageRequest<NamePosition>;
type Found = { rows: NamedRow[]; end?: NamedRow };

/** Number of rows to read before using the index. This number is enough for common search text and for small stores. */
const NEAR = 500;
/** Number of rows to read in list order if there are too many candidates, or if no index can be used. */
const FAR = 5000;
const MAX_CANDIDATES = 2000;
/** Minimum length for a search in the index, in characters. Shorter text contains no trigram. */
const SHORTEST = 3;

const POSITION = 'id, folded_name, category_id';

const sortedBy = (asked: PetSearch, { order }: Page): string =>
  `ORDER BY ${isByName(asked) ? `folded_name ${order}, ` : ''}id ${order}`;

const matching = (values: SqlValue[], { search, categoryId }: PetSearch): string => {
  const contains = `folded_name LIKE $${values.push(`%${search.replaceAll(/[\\%_]/g, '\\$&')}%`)} ESCAPE '\\'`;
  return categoryId === undefined ? contains : `category_id = $${values.push(categoryId)} AND ${contains}`;
};

const isMatch = ({ folded_name: name, categoryId: category }: NamedRow, { search, categoryId }: PetSearch): boolean =>
  name.includes(search) && (categoryId ?? category) === category;

// Reads up to `most` rows. Also returns row number `most`, even if that row does not match, because the next page
// starts after that row. A list sorted by id reads all columns. If it read only `POSITION`, PostgreSQL would read and
// sort the whole index of names. PostgreSQL drops unused columns from a subquery, but not from a materialized query.
const scanStatement = (sql: Sql, storeId: bigint, asked: PetSearch, page: Page, most: number): Statement => {
  const { order, after, limit } = page;
  const [filter, columns] = isByName(asked) ? [{ ...asked, categoryId: undefined }, POSITION] : [asked, NAMED_COLUMNS];
  const { text, values } = listing(sql, storeId, filter, { order, after, limit: most }, columns);
  const sorted = sortedBy(asked, page);
  const numbered = `SELECT listed.*, row_number() OVER (${sorted}) AS place FROM listed`;
  const shown = `SELECT id AS pet_id, place FROM (${numbered}) AS numbered
    WHERE ${matching(values, asked)} OR place = $${values.push(most)} ${sorted} LIMIT $${values.push(limit)}`;
  return {
    text: `WITH listed AS MATERIALIZED (${text}) SELECT ${NAMED_PET}, place FROM (${shown}) AS shown
      CROSS JOIN pets WHERE store_id = $${values.push(storeId)} AND id = pet_id ORDER BY place`,
    values,
  };
};

const scan = async (...[sql, storeId, asked, page, most]: Parameters<typeof scanStatement>): Promise<Found> => {
  const { text, values } = scanStatement(sql, storeId, asked, page, most);
  const rows = await sql.all<NamedRow & { place: bigint }>(text, values);
  const last = rows.at(-1);
  if (last?.place !== BigInt(most)) return { rows };
  return { rows: isMatch(last, asked) ? rows : rows.slice(0, -1), end: last };
};

// A row id in `pet_names` consists of the store id (less than `STORES`) followed by the pet id. The pet id takes up
// this many bits.
const ID_BITS = 40n;
const STORES = 2n ** 22n;

const inFts5 = (storeId: bigint, search: string, values: SqlValue[]): string => {
  const [store, most] = [`$${values.push(storeId)}`, `$${values.push(MAX_CANDIDATES + 1)}`];
  const first = (storeId < STORES ? storeId : STORES) << ID_BITS;
  const [from, to] = [`$${values.push(first)}`, `$${values.push(first + 2n ** ID_BITS - 1n)}`];
  const points = [...search];
  const trigrams = new Set(points.slice(2).map((last, at) => `${points[at]}${points[at + 1]}${last}`));
  const query = [...trigrams].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
  return `found AS MATERIALIZED (
    SELECT store_id, ${NAMED_COLUMNS} FROM (
      SELECT rowid - ${from} AS pet_id FROM pet_names
      WHERE pet_names MATCH $${values.push(query)} AND rowid BETWEEN ${from} AND ${to} LIMIT ${most}
    ) CROSS JOIN pets ON store_id = ${store} AND id = pet_id
    UNION ALL SELECT * FROM (
      SELECT store_id, ${NAMED_COLUMNS} FROM pets WHERE store_id = ${store}
        AND id > coalesce((SELECT names_indexed FROM stores WHERE id = ${store}), 0) LIMIT ${most}
    ))`;
};

// With only one condition, PostgreSQL would assume that 0.5% of all pets match, and scan the whole store. With three
// conditions, PostgreSQL uses the index. If `matched` contained a LIMIT, PostgreSQL would choose a plan that is good
// only for the first rows.
const inTrigramIndex = (storeId: bigint, search: string, values: SqlValue[]): string => {
  const store = `$${values.push(storeId)}`;
  const points = [...search];
  const parts = [search, points.slice(0, 3).join(''), points.slice(-3).join('')];
  const terms = parts.map(
    (part) => `name_trigrams(store_id, folded_name) @> name_trigrams(${store}, $${values.push(part)})`,
  );
  return `matched AS MATERIALIZED (
      SELECT store_id, ${NAMED_COLUMNS} FROM pets WHERE store_id = ${store} AND ${terms.join(' AND ')}
    ), found AS MATERIALIZED (SELECT * FROM matched LIMIT $${values.push(MAX_CANDIDATES + 1)})`;
};

const inCategory = (sql: Sql, storeId: bigint, { status, categoryId }: PetSearch): Statement => {
  const page = { order: 'asc', limit: MAX_CANDIDATES + 1 } as const;
  return listing(sql, storeId, { status, categoryId }, page, `store_id, ${NAMED_COLUMNS}`);
};

/** Returns undefined if there are too many candidates, or if the text is too short and no category is given. */
const match = async (sql: Sql, storeId: bigint, asked: PetSearch, page: Page): Promise<Found | undefined> => {
  const { search, status, categoryId } = asked;
  const isIndexed = [...search].length >= SHORTEST;
  if (!isIndexed && categoryId === undefined) return undefined;
  const { text, values } = isIndexed ? { text: '', values: [] } : inCategory(sql, storeId, asked);
  const equal = { store_id: storeId, status };
  const { foldedName, id } = page.after ?? {};
  const by = isByName(asked) ? { folded_name: foldedName, id } : { id };
  const { where, end } = pageOf({ equal, by }, page, values);
  const named = inPrefix(values, asked, page);
  const rows = `SELECT ${NAMED_PET} FROM found ${where}${named} AND ${matching(values, asked)} ${end}`;
  const indexed = () => (sql.hasFts5 ? inFts5 : inTrigramIndex)(storeId, search, values);
  const found = isIndexed ? indexed() : `found AS MATERIALIZED (${text})`;
  const all = await sql.all<(NamedRow | { id: null }) & { total: bigint }>(
    `WITH ${found} SELECT * FROM (SELECT count(*) AS total FROM found) AS counted LEFT JOIN (${rows}) AS page ON TRUE
     ${sortedBy(asked, page)}`,
    values,
  );
  const total = all[0]?.total ?? 0n;
  return total > MAX_CANDIDATES ? undefined : { rows: all.filter((row) => row.id !== null) };
};

export const searchNames = async (sql: Sql, storeId: bigint, asked: PetSearch, page: Page): Promise<Found> => {
  const near = await scan(sql, storeId, asked, page, NEAR);
  if (near.end === undefined || near.rows.length === page.limit) return near;
  return (await match(sql, storeId, asked, page)) ?? scan(sql, storeId, asked, page, FAR);
};
