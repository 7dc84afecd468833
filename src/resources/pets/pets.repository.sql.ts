import type { Clock } from '../../kernel/runtime.ts';
import { createInsertRows } from '../../storage/insert-rows.sql.ts';
import { deleteFirst } from '../../storage/page.sql.ts';
import type { Sql, SqlValue } from '../../storage/sql.ts';
import { sqlInventory } from './inventory.sql.ts';
import { COLUMNS, listing, NAMED_PET, PET } from './listing.sql.ts';
import { foldName, type NamePosition, PET_STATUSES, type Pet } from './pet.ts';
import type { NewPet, PetRepository } from './pets.repository.ts';
import { type NamedRow, searchNames } from './search.sql.ts';

/** A change to one of these fields increments the pet's version. */
const SEEN = ['name', 'categoryId', 'status'] as const;

const INSERT_INTO = `INSERT INTO pets (store_id, ${COLUMNS}, folded_name, created_at, updated_at)`;
const insertRows = createInsertRows(INSERT_INTO);
const INSERT = `${INSERT_INTO} VALUES ($1, $2, $3, $4, $5, $6, NULL, $7, $8, $8)`;

const UPDATE = `UPDATE pets SET name = $3, category_id = $4, status = $5, version = $6, held_by_order_id = $7,
  folded_name = $8, updated_at = $9 WHERE store_id = $1 AND id = $2`;

const FIND = `SELECT ${PET} FROM pets WHERE store_id = $1 AND id = $2`;

const fromNamedRow = ({ folded_name: foldedName, ...row }: NamedRow): Pet & NamePosition => {
  const { id, name, categoryId, status, version, heldByOrderId } = row;
  return { id, name, categoryId, status, version, heldByOrderId, foldedName };
};

const toNew = ({ name, categoryId, status }: NewPet, id: bigint): Pet => ({
  id,
  name,
  categoryId,
  status,
  version: 1n,
  heldByOrderId: null,
});

const toInsert = (pet: Pet, storeId: bigint, at: number): SqlValue[] => {
  const { id, name, categoryId, status, version, heldByOrderId } = pet;
  return [storeId, id, name, categoryId, status, version, heldByOrderId, foldName(name), at, at];
};

const sqlSearch =
  (sql: Sql, storeId: bigint): PetRepository['search'] =>
  async (asked, page) => {
    const { rows, end } = await searchNames(sql, storeId, asked, page);
    return { pets: rows.map(fromNamedRow), ...(end && { end: fromNamedRow(end) }) };
  };

const sqlListByName =
  (sql: Sql, storeId: bigint): PetRepository['listByName'] =>
  async (filter, page) => {
    if (filter.categoryId !== undefined && filter.ids === undefined)
      return sqlSearch(sql, storeId)({ ...filter, sort: 'name', search: '' }, page);
    const { text, values } = listing(sql, storeId, { ...filter, sort: 'name' }, page, NAMED_PET);
    return { pets: (await sql.all<NamedRow>(text, values)).map(fromNamedRow) };
  };

const sqlMoveSome =
  (sql: Sql, storeId: bigint, now: Clock): PetRepository['moveSome'] =>
  async (from, into, most) => {
    const moved: Pet[] = [];
    for (const status of PET_STATUSES) {
      // Another transaction may move a pet after the subquery has found it, so the update checks the category again.
      // Adding 0 to `category_id` prevents PostgreSQL from using the index on `category_id` for this check. With that
      // index, PostgreSQL would read the whole category for each pet that the subquery finds.
      const rows = await sql.all<Pet>(
        `UPDATE pets SET category_id = $3, version = version + 1, updated_at = $4
           WHERE store_id = $1 AND category_id + 0 = $2 AND id IN
             (SELECT id FROM pets WHERE store_id = $1 AND category_id = $2 AND status = $5 ORDER BY id LIMIT $6)
           RETURNING ${PET}`,
        [storeId, from, into, now(), status, most - moved.length],
      );
      moved.push(...rows);
    }
    return moved;
  };

export const sqlPets = (sql: Sql, storeId: bigint, now: Clock): PetRepository => {
  const inventory = sqlInventory(sql, storeId);

  return {
    find: (id) => sql.one<Pet>(FIND, [storeId, id]),
    lock: async (id) => sql.one<Pet>(`${FIND} ${sql.lockRows}`, [storeId, id]),

    list(filter, page) {
      const after = page.after === undefined ? undefined : { id: page.after };
      const { text, values } = listing(sql, storeId, filter, { ...page, after }, PET);
      return sql.all<Pet>(text, values);
    },

    listByName: sqlListByName(sql, storeId),
    search: sqlSearch(sql, storeId),
    moveSome: sqlMoveSome(sql, storeId, now),
    inventory: inventory.read,
    countForLimit: inventory.countForLimit,

    async insert(given) {
      const next = sql.nextId('pets', storeId);
      const id = next instanceof Promise ? await next : next;
      const { name, categoryId, status } = given;
      const inserted = sql.run(INSERT, [storeId, id, name, categoryId, status, 1n, foldName(name), now()]);
      if (inserted instanceof Promise) await inserted;
      const counted = sql.add(inventory.counters[status], 1);
      if (counted instanceof Promise) await counted;
      return toNew(given, id);
    },

    async insertMany(given) {
      const ids = await sql.nextIds('pets', storeId, given.length);
      const pets = given.map((pet, index) => toNew(pet, ids[index] as bigint));
      const at = now();
      const rows = pets.map((pet) => toInsert(pet, storeId, at));
      await insertRows(sql, rows);
      await inventory.addEach(pets, 1);
      return pets;
    },

    async update(pet, changes) {
      const changed: Pet = { ...pet, ...changes };
      if (SEEN.some((field) => changed[field] !== pet[field])) changed.version += 1n;
      const { name, categoryId, status, version, heldByOrderId } = changed;
      const values = [storeId, pet.id, name, categoryId, status, version, heldByOrderId, foldName(name), now()];
      await sql.run(UPDATE, values);
      await inventory.move(pet.status, status);
      return changed;
    },

    async remove(pet) {
      await sql.run('DELETE FROM pets WHERE store_id = $1 AND id = $2', [storeId, pet.id]);
      await sql.add(inventory.counters[pet.status], -1);
    },

    async removeSome(most) {
      const rows = await deleteFirst<Pet>(sql, { table: 'pets', key: 'id', storeId, most, returning: PET });
      await inventory.addEach(rows, -1);
      return rows;
    },
  };
};
