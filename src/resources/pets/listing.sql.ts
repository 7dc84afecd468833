import type { PageRequest } from '../../kernel/contract.ts';
import { inRange, ofEach, pageOf, type Statement } from '../../storage/page.sql.ts';
import type { Sql, SqlValue } from '../../storage/sql.ts';
import { afterPrefix, type NamePosition, PET_STATUSES } from './pet.ts';
import { isByName, type PetFilter } from './pets.repository.ts';

export const COLUMNS = 'id, name, category_id, status, version, held_by_order_id';
export const NAMED_COLUMNS = `${COLUMNS}, folded_name`;

/** Gives the columns the names of the fields of `Pet`, so that each row is a `Pet`. */
export const PET = 'id, name, category_id AS "categoryId", status, version, held_by_order_id AS "heldByOrderId"';
export const NAMED_PET = `${PET}, folded_name`;

/** Repeats the last id until the number of ids is a power of two, so that there are only a few different statements. */
const padded = (ids: readonly bigint[]): bigint[] => {
  const length = 2 ** Math.ceil(Math.log2(ids.length));
  return Array.from({ length }, (_, index) => ids[Math.min(index, ids.length - 1)] as bigint);
};

/** Finds pets by id before applying other filters; otherwise, the database might scan a whole category or store. */
const foundByIds = (ids: readonly bigint[], storeId: bigint, values: SqlValue[]): string => {
  const store = `CAST($${values.push(storeId)} AS bigint)`;
  const keys = padded(ids).map((id) => `(${store}, CAST($${values.push(id)} AS bigint))`);
  // On Citus, the query goes to a single shard only if it compares `store_id` with one value.
  const found = `SELECT store_id, ${NAMED_COLUMNS} FROM pets
    WHERE store_id = ${store} AND (store_id, id) IN (VALUES ${keys.join(', ')})`;
  return `WITH found AS MATERIALIZED (${found})`;
};

export const inPrefix = (values: SqlValue[], { name }: PetFilter, page: PageRequest<unknown>): string =>
  name === undefined ? '' : inRange(values, 'folded_name', { from: name, to: afterPrefix(name) }, page);

export const listing = (
  sql: Sql,
  storeId: bigint,
  filter: PetFilter,
  page: PageRequest<Partial<NamePosition>>,
  columns: string,
): Statement => {
  const { status, categoryId, ids } = filter;
  const { foldedName, id } = page.after ?? {};
  const isNamed = isByName(filter);
  const equal = { store_id: storeId, category_id: categoryId, status, id: ids?.length === 1 ? ids[0] : undefined };
  const { where, end, values } = pageOf({ equal, by: isNamed ? { folded_name: foldedName, id } : { id } }, page);
  const isFoundByIds = ids !== undefined && ids.length > 1;
  const select = isFoundByIds
    ? `${foundByIds(ids, storeId, values)} SELECT ${columns} FROM found`
    : `SELECT ${columns} FROM pets`;
  const text = `${select} ${where}${inPrefix(values, filter, page)}`;
  const isOfEach = status === undefined && ids === undefined && (isNamed || categoryId !== undefined);
  return isOfEach ? ofEach(sql, { text, end, values }, 'status', PET_STATUSES) : { text: `${text} ${end}`, values };
};
