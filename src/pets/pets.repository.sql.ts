import { createInsertRows } from '../database/insert-rows.sql.ts';
import { pageOf } from '../database/page.sql.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import type { Clock } from '../kernel/clock.ts';
import type { PageRequest } from '../kernel/contract.ts';
import { chain, type MaybePromise } from '../kernel/maybe-promise.ts';
import { sqlInventory } from './inventory.sql.ts';
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

/** What callers see of an animal, beside its id. */
const SEEN = ['name', 'categoryId', 'status'] as const;

const COLUMNS = 'id, name, category_id, status, version, held_by_order_id';

const INSERT_INTO = `INSERT INTO pets (store_id, ${COLUMNS}, created_at, updated_at)`;
const INSERT = `${INSERT_INTO} VALUES ($1, $2, $3, $4, $5, $6, NULL, $7, $7)`;
const insertRows = createInsertRows(INSERT_INTO);

const FIND = `SELECT ${COLUMNS} FROM pets WHERE store_id = $1 AND id = $2`;

const fromRow = (row: PetRow): Pet => ({
  id: row.id,
  name: row.name,
  categoryId: row.category_id,
  status: row.status,
  version: row.version,
  heldByOrderId: row.held_by_order_id,
});

const toNew = ({ name, categoryId, status }: NewPet, id: bigint): Pet => ({
  id,
  name,
  categoryId,
  status,
  version: 1n,
  heldByOrderId: null,
});

/** Lists of ids are filled up with the last one to a power of two, so that there are few texts for an engine to know. */
const padded = (ids: readonly bigint[]): bigint[] => {
  const length = 2 ** Math.ceil(Math.log2(ids.length));
  return Array.from({ length }, (_, index) => ids[Math.min(index, ids.length - 1)] as bigint);
};

/**
 * The statement of a list and its values. Where the engine merges, a list by category alone asks for each status by
 * itself, so that the index for both serves it too.
 */
const listing = ({ mergesParts }: Sql, storeId: bigint, filter: PetFilter, page: PageRequest<bigint>) => {
  const { status, categoryId, ids } = filter;
  const equal = { store_id: storeId, category_id: categoryId, status };
  const { where, end, values } = pageOf({ equal, by: { id: page.after } }, page);
  const value = (given: SqlValue) => `$${values.push(given)}`;
  const among = ids === undefined ? '' : `AND id IN (${padded(ids).map(value).join(', ')})`;
  const select = `SELECT ${COLUMNS} FROM pets ${where} ${among}`;
  const isMerged = mergesParts && categoryId !== undefined && status === undefined && ids === undefined;
  const parts = isMerged ? PET_STATUSES.map((one) => `${select} AND status = ${value(one)}`) : [select];
  return { text: `${parts.join(' UNION ALL ')} ${end}`, values };
};

export const sqlPets = (sql: Sql, storeId: bigint, now: Clock): PetRepository => {
  const inventory = sqlInventory(sql, storeId);

  const insertRow = (given: NewPet): MaybePromise<Pet> =>
    chain(sql.nextId('pets'), (id) => {
      const pet = toNew(given, id);
      const { name, categoryId, status, version } = pet;
      return chain(sql.run(INSERT, [storeId, id, name, categoryId, status, version, now()]), () => pet);
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

    inventory: inventory.read,

    insert: (given) => chain(insertRow(given), (pet) => chain(inventory.add(pet.status, 1), () => pet)),

    async insertMany(given) {
      const ids = await sql.nextIds('pets', given.length);
      const pets = given.map((pet, index) => toNew(pet, ids[index] as bigint));
      const at = now();
      const rows = pets.map(({ id, name, categoryId, status, version, heldByOrderId }) => {
        return [storeId, id, name, categoryId, status, version, heldByOrderId, at, at];
      });
      await insertRows(sql, rows);
      await inventory.addEach(pets, 1);
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
      await inventory.move(pet.status, changed.status);
      return changed;
    },

    async remove(pet) {
      await sql.run('DELETE FROM pets WHERE store_id = $1 AND id = $2', [storeId, pet.id]);
      await inventory.add(pet.status, -1);
    },

    async removeSome(most) {
      const rows = await sql.all<PetRow>(
        `DELETE FROM pets WHERE store_id = $1 AND id IN
           (SELECT id FROM pets WHERE store_id = $1 ORDER BY id LIMIT $2)
         RETURNING ${COLUMNS}`,
        [storeId, most],
      );
      await inventory.addEach(rows, -1);
      return rows.map(fromRow);
    },
  };
};
