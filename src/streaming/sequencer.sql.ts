import type { Sql } from '../storage/sql.ts';
import type { Arrivals } from './arrivals.ts';
import type { Assigned, Sequencer } from './sequencer.ts';

/** Maximum number of events that are numbered in one statement. The store's readers wait while the statement runs. */
const ROWS_PER_STATEMENT = 1000;

// A failure halves the store's maximum, but the maximum never drops below this number. Otherwise, an outage could lead
// to thousands of small statements.
const FEWEST_ROWS = 50;

const LAST_SEQUENCE = {
  read: 'SELECT last_sequence AS total FROM stores WHERE id = $1',
  set: 'UPDATE stores SET last_sequence = $2 WHERE id = $1',
  add: 'UPDATE stores SET last_sequence = last_sequence + $2 WHERE id = $1',
};

export const sequenceInTransaction =
  (arrivals: Pick<Arrivals, 'announce'>) =>
  (sql: Sql): Sequencer => ({
    next(storeId, count) {
      const sequence = { name: `sequence ${storeId}`, key: [storeId], ...LAST_SEQUENCE };
      // On SQLite, these counters are kept in memory, so neither `total` nor `add` returns a promise.
      const last = sql.total(sequence) as bigint | undefined;
      if (last === undefined) throw new Error(`store ${storeId} is not open`);
      void sql.add(sequence, count);
      return last + 1n;
    },
    assignPending: async () => undefined,
    assignAll: async () => undefined,
    assignSome: async () => ({ hasMore: false, hasDeliveries: false }),
    pendingSince: async () => undefined,
    committed: arrivals.announce,
  });

type Deps = {
  /**
   * Null means the time of the database server. If each instance used its own clock, deliveries could overtake each
   * other.
   */
  now(): number | null;
  assign(storeId: bigint): Promise<void>;
  committed(storeId: bigint): void;
};

/**
 * On PostgreSQL, a separate transaction after the commit assigns the sequence numbers and adds the webhook
 * deliveries. Therefore, a store's writers do not wait for each other. A reader starts this transaction only if the
 * reader finds events without a number.
 */
export const sequenceAfterCommit = ({ now, assign, committed }: Deps) => {
  // A statement that times out is rolled back, so another try with the same number of events would time out again.
  const reduced = new Map<bigint, number>();
  return (sql: Sql): Sequencer => {
    const assignSome = async (storeId: bigint): Promise<Assigned> => {
      const most = reduced.get(storeId) ?? ROWS_PER_STATEMENT;
      try {
        const values = [storeId, most, now()];
        const row = await sql.one<{ flags: bigint }>('SELECT number_events($1, $2, $3) AS flags', values);
        const flags = row?.flags ?? 0n;
        const hasMore = (flags & 1n) !== 0n;
        if (!hasMore) reduced.delete(storeId);
        return { hasMore, hasDeliveries: (flags & 2n) !== 0n };
      } catch (error) {
        reduced.set(storeId, Math.max(FEWEST_ROWS, Math.floor(most / 2)));
        throw error;
      }
    };
    const assignHere = async (storeId: bigint): Promise<void> => {
      while ((await assignSome(storeId)).hasMore);
    };
    const pendingStores = async (storeId?: bigint): Promise<bigint[]> => {
      const pending = await sql.all<{ store_id: bigint }>(
        `SELECT DISTINCT store_id FROM events WHERE sequence IS NULL ${storeId === undefined ? '' : 'AND store_id = $1'}`,
        storeId === undefined ? [] : [storeId],
      );
      return pending.map(({ store_id }) => store_id);
    };
    return {
      next: async () => null,
      assignSome,
      async assignPending(storeId) {
        // Only the write transaction can see its uncommitted events, so that transaction has to number them.
        for (const id of await pendingStores(storeId)) await (sql.isReadOnly ? assign : assignHere)(id);
      },
      async assignAll() {
        const errors: unknown[] = [];
        for (const id of await pendingStores()) await assign(id).catch((error) => errors.push(error));
        if (errors.length > 0) throw errors[0];
      },
      async pendingSince() {
        const row = await sql.one<{ since: bigint | null }>(
          'SELECT MIN(occurred_at) AS since FROM events WHERE sequence IS NULL',
          [],
        );
        return row?.since == null ? undefined : Number(row.since);
      },
      committed,
    };
  };
};
