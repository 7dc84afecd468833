import type { Counter, Sql } from '../database/sql.ts';
import { chain } from '../kernel/maybe-promise.ts';
import type { Arrivals } from './arrivals.ts';
import type { Sequencer } from './sequencer.ts';

/** So many events are numbered in one statement: others of the store wait for it. */
const AT_ONCE = 1000;

/** The number of the last event of a store, in the store's own row. */
const sequenceOf = (storeId: bigint): Counter => ({
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
export const sequenceInTransaction =
  (arrivals: Pick<Arrivals, 'announce'>) =>
  (sql: Sql): Sequencer => ({
    next(storeId, count) {
      const sequence = sequenceOf(storeId);
      return chain(sql.total(sequence), (last) => {
        if (last === undefined) throw new Error(`store ${storeId} is not open`);
        return chain(sql.add(sequence, count), () => last + 1n);
      });
    },
    assignPending: async () => undefined,
    committed: arrivals.announce,
  });

/**
 * Leaves the numbering to a transaction of its own after the commit, so that writers of a store do not wait for one
 * another; whoever reads events first has numbered what is committed.
 */
export const sequenceAfterCommit =
  (committed: (storeId: bigint) => void) =>
  (sql: Sql): Sequencer => ({
    next: async () => null,
    async assignPending(storeId) {
      const inStore = storeId === undefined ? '' : 'AND store_id = $1';
      const waiting = await sql.all<{ store_id: bigint }>(
        `SELECT DISTINCT store_id FROM events WHERE sequence IS NULL ${inStore}`,
        storeId === undefined ? [] : [storeId],
      );
      for (const { store_id } of waiting) {
        const numberSome = () =>
          sql.one<{ numbered: bigint }>('SELECT assign_sequences($1, $2) AS numbered', [store_id, AT_ONCE]);
        while ((await numberSome())?.numbered === BigInt(AT_ONCE));
      }
    },
    committed,
  });
