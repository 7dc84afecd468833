import type { Sql, Sum } from '../database/sql.ts';
import { upon } from '../kernel/soon.ts';
import type { Arrivals } from './arrivals.ts';
import type { Numbering } from './numbering.ts';

/** So many events are numbered in one statement: others of the store wait for it. */
const AT_ONCE = 1000;

/** The number of the last event of a store, in the store's own row. */
const sequenceOf = (storeId: bigint): Sum => ({
  name: `sequence ${storeId}`,
  table: 'stores',
  key: [storeId],
  add: 'UPDATE stores SET last_sequence = last_sequence + $2 WHERE id = $1',
  read: 'SELECT last_sequence AS total FROM stores WHERE id = $1',
});

/**
 * Counts in the transaction of the event. For an engine on which transactions follow one another: elsewhere all writers
 * of a store would queue for its row.
 */
export const numberAtOnce =
  (arrivals: Pick<Arrivals, 'announce'>) =>
  (sql: Sql): Numbering => ({
    next(storeId, count) {
      const sequence = sequenceOf(storeId);
      return upon(sql.total(sequence), (last) => {
        if (last === undefined) throw new Error(`store ${storeId} is not open`);
        return upon(sql.add(sequence, count), () => last + 1n);
      });
    },
    settle: async () => undefined,
    committed: arrivals.announce,
  });

/**
 * Leaves the numbering to a transaction of its own after the commit, so that writers of a store do not wait for one
 * another; whoever reads events first has numbered what is committed.
 */
export const numberAfterCommit =
  (committed: (storeId: bigint) => void) =>
  (sql: Sql): Numbering => ({
    next: async () => null,
    async settle(storeId) {
      const inStore = storeId === undefined ? '' : 'AND store_id = $1';
      const waiting = await sql.all<{ store_id: bigint }>(
        `SELECT DISTINCT store_id FROM events WHERE sequence IS NULL ${inStore}`,
        storeId === undefined ? [] : [storeId],
      );
      for (const { store_id } of waiting) {
        const numberSome = () =>
          sql.one<{ numbered: bigint }>('SELECT number_events($1, $2) AS numbered', [store_id, AT_ONCE]);
        while ((await numberSome())?.numbered === BigInt(AT_ONCE));
      }
    },
    committed,
  });
