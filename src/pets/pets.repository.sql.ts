import type { Counter, Sql, SqlValue } from '../database/sql.ts';
import type { Clock } from '../kernel/clock.ts';
import type { PageRequest } from '../kernel/contract.ts';
import { chain, type MaybePromise } from '../kernel/maybe-promise.ts';
import { PET_STATUSES, type Pet, type PetStatus } from './pet.ts';
import type { NewPet, PetFilter, PetRepository } from './pets.repository.ts';

type PetRow = {
  id: bigint;
  name: string;
  category_id: bigint;
  status: PetStatus;
  version: bigint;
  held_by_order_id: bigint | null;
};

/** The counts of one status are spread over so many rows: those who write at the same time take one each, not turns. */
const INVENTORY_SLOTS = 64n;

/** What callers see of an animal, beside its id. */
const SEEN = ['name', 'categoryId', 'status'] as const;

const COLUMNS = 'id, name, category_id, status, version, held_by_order_id';

const INSERT = `INSERT INTO pets (store_id, ${COLUMNS}, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, NULL, $7, $7)`;

const FIND = `SELECT ${COLUMNS} FROM pets WHERE store_id = $1 AND id = $2`;

const SET_COUNT = `INSERT INTO inventory (store_id, status, slot, count) VALUES ($1, $2, $3, $4)
  ON CONFLICT (store_id, status, slot) DO UPDATE SET count = excluded.count`;

const COUNT = {
  read: 'SELECT count AS total FROM inventory WHERE store_id = $1 AND status = $2 AND slot = $3',
  set: SET_COUNT,
  add: `${SET_COUNT} + inventory.count`,
};

const fromRow = (row: PetRow): Pet => ({
  id: row.id,
  name: row.name,
  categoryId: row.category_id,
  status: row.status,
  version: row.version,
  heldByOrderId: row.held_by_order_id,
});

/** Lists of ids are filled up with the last one to a power of two, so that there are few texts for an engine to know. */
const padded = (ids: readonly bigint[]): bigint[] => {
  const length = 2 ** Math.ceil(Math.log2(ids.length));
  return Array.from({ length }, (_, index) => ids[Math.min(index, ids.length - 1)] as bigint);
};

/**
 * The statement of a list and its values, numbered in the order in which they are given. Where the engine merges, a list
 * by category alone asks for each status by itself, so that the index for both serves it too.
 */
const listing = (
  { mergesParts }: Sql,
  storeId: bigint,
  { status, categoryId, ids }: PetFilter,
  { limit, order, after }: PageRequest<bigint>,
) => {
  const values: SqlValue[] = [];
  const value = (given: SqlValue) => `$${values.push(given)}`;
  const terms = [`store_id = ${value(storeId)}`];
  if (categoryId !== undefined) terms.push(`category_id = ${value(categoryId)}`);
  if (ids !== undefined) terms.push(`id IN (${padded(ids).map(value).join(', ')})`);
  if (after !== undefined) terms.push(`id ${order === 'asc' ? '>' : '<'} ${value(after)}`);
  const isMerged = mergesParts && categoryId !== undefined && status === undefined && ids === undefined;
  const statuses = isMerged ? PET_STATUSES : [status];
  const parts = statuses.map((one) => {
    const all = one === undefined ? terms : [...terms, `status = ${value(one)}`];
    return `SELECT ${COLUMNS} FROM pets WHERE ${all.join(' AND ')}`;
  });
  return { text: `${parts.join(' UNION ALL ')} ORDER BY id ${order} LIMIT ${value(limit)}`, values };
};

/** How the counts change when each of these animals adds `by` to its own. */
const tally = (pets: readonly Pick<Pet, 'status'>[], by: 1 | -1): Partial<Record<PetStatus, number>> => {
  const changes: Partial<Record<PetStatus, number>> = {};
  for (const { status } of pets) changes[status] = (changes[status] ?? 0) + by;
  return changes;
};

export const sqlPets = (sql: Sql, storeId: bigint, now: Clock): PetRepository => {
  const countOf = (status: PetStatus): Counter => ({
    name: `inventory ${storeId} ${status}`,
    key: [storeId, status, sql.writer % INVENTORY_SLOTS],
    ...COUNT,
  });
  const counts = { available: countOf('available'), pending: countOf('pending'), sold: countOf('sold') };

  /** Every change of an animal's status goes through here, in its own transaction: the counts cannot drift. */
  const count = (status: PetStatus, by: number) => sql.add(counts[status], by);

  /** Always in the same order, so that no two wait for each other. */
  const countAll = async (changes: Partial<Record<PetStatus, number>>) => {
    for (const status of PET_STATUSES) if (changes[status]) await count(status, changes[status]);
  };

  const insertRow = ({ name, categoryId, status }: NewPet): MaybePromise<Pet> =>
    chain(sql.nextId('pets'), (id) => {
      const pet: Pet = { id, name, categoryId, status, version: 1n, heldByOrderId: null };
      return chain(sql.run(INSERT, [storeId, id, name, categoryId, status, pet.version, now()]), () => pet);
    });

  return {
    find(id) {
      const row = sql.one<PetRow>(FIND, [storeId, id]);
      return chain(row, (found) => found && fromRow(found));
    },

    list(filter, page) {
      const { text, values } = listing(sql, storeId, filter, page);
      return chain(sql.all<PetRow>(text, values), (found) => found.map(fromRow));
    },

    async inventory() {
      await sql.writeCounters();
      const rows = await sql.all<{ status: PetStatus; count: bigint }>(
        'SELECT status, CAST(sum(count) AS bigint) AS count FROM inventory WHERE store_id = $1 GROUP BY status',
        [storeId],
      );
      const counts = new Map(rows.map((row) => [row.status, row.count]));
      return {
        available: counts.get('available') ?? 0n,
        pending: counts.get('pending') ?? 0n,
        sold: counts.get('sold') ?? 0n,
      };
    },

    insert: (given) => chain(insertRow(given), (pet) => chain(count(pet.status, 1), () => pet)),

    async insertMany(given) {
      const pets: Pet[] = [];
      for (const pet of given) {
        const inserted = insertRow(pet);
        pets.push(inserted instanceof Promise ? await inserted : inserted);
      }
      await countAll(tally(pets, 1));
      return pets;
    },

    async lock(id) {
      const row = await sql.one<PetRow>(`${FIND} ${sql.lockRows}`, [storeId, id]);
      return row && fromRow(row);
    },

    async update(pet, changes) {
      const changed: Pet = { ...pet, ...changes };
      if (SEEN.some((field) => changed[field] !== pet[field])) changed.version += 1n;
      await sql.run(
        `UPDATE pets SET name = $3, category_id = $4, status = $5, version = $6, held_by_order_id = $7, updated_at = $8
         WHERE store_id = $1 AND id = $2`,
        [
          storeId,
          pet.id,
          changed.name,
          changed.categoryId,
          changed.status,
          changed.version,
          changed.heldByOrderId,
          now(),
        ],
      );
      if (changed.status !== pet.status) await countAll({ [pet.status]: -1, [changed.status]: 1 });
      return changed;
    },

    async remove(pet) {
      await sql.run('DELETE FROM pets WHERE store_id = $1 AND id = $2', [storeId, pet.id]);
      await count(pet.status, -1);
    },

    async removeAll() {
      const rows = await sql.all<PetRow>(`DELETE FROM pets WHERE store_id = $1 RETURNING ${COLUMNS}`, [storeId]);
      await countAll(tally(rows, -1));
      return rows.map(fromRow);
    },
  };
};
