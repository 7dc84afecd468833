import type { Counter, Sql } from '../../storage/sql.ts';
import { PET_STATUSES, type Pet, type PetStatus } from './pet.ts';

/** Number of counter rows per status. With only one row, concurrent transactions would wait for each other. */
const INVENTORY_SLOTS = 64n;

const SET_COUNT = `INSERT INTO inventory (store_id, status, slot, count) VALUES ($1, $2, $3, $4)
  ON CONFLICT (store_id, status, slot) DO UPDATE SET count = excluded.count`;

const SUM = 'SELECT CAST(sum(count) AS bigint) AS count FROM inventory WHERE store_id = $1';

const COUNT = {
  read: 'SELECT count AS total FROM inventory WHERE store_id = $1 AND status = $2 AND slot = $3',
  set: SET_COUNT,
  add: `${SET_COUNT} + inventory.count`,
};

// If a store has room for fewer than this many pets, PostgreSQL transactions that add pets wait for each other. If the
// store has more room, the transactions do not wait. At least 20 concurrent batches of 1,000 pets would be needed to
// exceed the limit, but a key can run only 8 batches at a time per instance.
const NEAR = 20_000;

export const sqlInventory = (sql: Sql, storeId: bigint) => {
  const counterOf = (status: PetStatus): Counter => {
    const key = [storeId, status, sql.writer % INVENTORY_SLOTS];
    return { name: `inventory ${storeId} ${status}`, key, ...COUNT };
  };
  const counters = { available: counterOf('available'), pending: counterOf('pending'), sold: counterOf('sold') };

  /** Uses a fixed order, because concurrent transactions that change counters in different orders could deadlock. */
  const addAll = async (changes: Partial<Record<PetStatus, number>>): Promise<void> => {
    for (const status of PET_STATUSES) if (changes[status]) await sql.add(counters[status], changes[status]);
  };

  const sum = async (): Promise<number> => {
    const row = await sql.one<{ count: bigint | null }>(SUM, [storeId]);
    return Number(row?.count ?? 0n);
  };

  return {
    counters,

    async countForLimit(most: number): Promise<number> {
      if (sql.isSoleWriter) {
        let total = 0n;
        for (const status of PET_STATUSES) total += (sql.total(counters[status]) as bigint | undefined) ?? 0n;
        return Number(total);
      }
      const count = await sum();
      if (count > most || count < most - NEAR) return count;
      await sql.one('SELECT id FROM stores WHERE id = $1 FOR NO KEY UPDATE', [storeId]);
      return sum();
    },

    addEach(pets: readonly Pick<Pet, 'status'>[], by: 1 | -1): Promise<void> {
      const changes: Partial<Record<PetStatus, number>> = {};
      for (const { status } of pets) changes[status] = (changes[status] ?? 0) + by;
      return addAll(changes);
    },

    async move(from: PetStatus, to: PetStatus): Promise<void> {
      if (from !== to) await addAll({ [from]: -1, [to]: 1 });
    },

    async read(): Promise<Record<PetStatus, bigint>> {
      await sql.writeCounters();
      const rows = await sql.all<{ status: PetStatus; count: bigint }>(
        'SELECT status, CAST(sum(count) AS bigint) AS count FROM inventory WHERE store_id = $1 GROUP BY status',
        [storeId],
      );
      const counts = { available: 0n, pending: 0n, sold: 0n };
      for (const { status, count } of rows) counts[status] = count;
      return counts;
    },
  };
};
