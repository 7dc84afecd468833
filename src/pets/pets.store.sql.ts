import type { Sql, SqlValue } from '../database/sql.ts';
import type { Clock } from '../kernel/clock.ts';
import { upon } from '../kernel/soon.ts';
import { PET_STATUSES, type Pet, type PetStatus } from './pet.ts';
import type { NewPet, PetFilter, PetStore } from './pets.store.ts';

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

/** The conditions of a list and their values, numbered in the order in which they are given. */
const conditions = (storeId: bigint, filter: PetFilter, order: 'asc' | 'desc', after: bigint | undefined) => {
  const values: SqlValue[] = [];
  const value = (given: SqlValue) => `$${values.push(given)}`;
  const terms = [`store_id = ${value(storeId)}`];
  if (filter.status !== undefined) terms.push(`status = ${value(filter.status)}`);
  if (filter.categoryId !== undefined) terms.push(`category_id = ${value(filter.categoryId)}`);
  if (filter.ids !== undefined) terms.push(`id IN (${padded(filter.ids).map(value).join(', ')})`);
  if (after !== undefined) terms.push(`id ${order === 'asc' ? '>' : '<'} ${value(after)}`);
  return { where: terms.join(' AND '), values };
};

/** How the counts change when each of these animals adds `by` to its own. */
const tally = (pets: readonly Pick<Pet, 'status'>[], by: 1 | -1): Partial<Record<PetStatus, number>> => {
  const changes: Partial<Record<PetStatus, number>> = {};
  for (const { status } of pets) changes[status] = (changes[status] ?? 0) + by;
  return changes;
};

export const petsOnSql = (sql: Sql, storeId: bigint, now: Clock): PetStore => {
  /** Every change of an animal's status goes through here, in its own transaction: the counts cannot drift. */
  const count = (status: PetStatus, by: number) =>
    sql.run(
      `INSERT INTO inventory (store_id, status, slot, count) VALUES ($1, $2, $3, $4)
       ON CONFLICT (store_id, status, slot) DO UPDATE SET count = inventory.count + excluded.count`,
      [storeId, status, sql.writer % INVENTORY_SLOTS, by],
    );

  /** Always in the same order, so that no two wait for each other. */
  const countAll = async (changes: Partial<Record<PetStatus, number>>) => {
    for (const status of PET_STATUSES) if (changes[status]) await count(status, changes[status]);
  };

  const insertRow = async ({ name, categoryId, status }: NewPet): Promise<Pet> => {
    const pet: Pet = { id: await sql.nextId('pets'), name, categoryId, status, version: 1n, heldByOrderId: null };
    await sql.run(
      `INSERT INTO pets (store_id, ${COLUMNS}, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, NULL, $7, $7)`,
      [storeId, pet.id, name, categoryId, status, pet.version, now()],
    );
    return pet;
  };

  return {
    find(id) {
      const row = sql.one<PetRow>(`SELECT ${COLUMNS} FROM pets WHERE store_id = $1 AND id = $2`, [storeId, id]);
      return upon(row, (found) => found && fromRow(found));
    },

    list(filter, { limit, order, after }) {
      const { where, values } = conditions(storeId, filter, order, after);
      values.push(limit);
      const rows = sql.all<PetRow>(
        `SELECT ${COLUMNS} FROM pets WHERE ${where} ORDER BY id ${order} LIMIT $${values.length}`,
        values,
      );
      return upon(rows, (found) => found.map(fromRow));
    },

    async inventory() {
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

    async insert(given) {
      const pet = await insertRow(given);
      await count(pet.status, 1);
      return pet;
    },

    async insertMany(given) {
      const pets: Pet[] = [];
      for (const pet of given) pets.push(await insertRow(pet));
      await countAll(tally(pets, 1));
      return pets;
    },

    async lock(id) {
      const row = await sql.one<PetRow>(`SELECT ${COLUMNS} FROM pets WHERE store_id = $1 AND id = $2 ${sql.lockRows}`, [
        storeId,
        id,
      ]);
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
