import type { PageRequest } from '../../kernel/contract.ts';
import { EVENT_TYPES, type EventType } from '../../kernel/event.ts';
import type { RandomText } from '../../kernel/ids.ts';
import type { Call, Change, EventLog } from '../../kernel/operation.ts';
import type { Clock, MaybePromise } from '../../kernel/runtime.ts';
import { createInsertRows } from '../../storage/insert-rows.sql.ts';
import { ofEach, pageOf } from '../../storage/page.sql.ts';
import type { Counter, Sql } from '../../storage/sql.ts';
import type { Sequencer } from '../../streaming/sequencer.ts';
import { forgetCounts, sqlCounts } from './counts.sql.ts';
import { PERIOD_MS } from './counts.ts';
import { EVENT_COLUMNS, type EventRow, toStoredEvent } from './event.row.ts';
import { OPERATORS_TYPE, type StoredEvent } from './event.ts';
import type { EventFilter, EventRepository, OldEvents } from './events.repository.ts';
import { PET_TYPES } from './history.ts';

/** This condition must match that of the index `events_audited`; otherwise, the database cannot use the index. */
const OPERATORS = "type LIKE 'key.%' OR type LIKE 'webhook.%'";

const visibleTerms = (withOperators: boolean): string[] => (withOperators ? [] : [`NOT (${OPERATORS})`]);

// The indexes by pet and by key are sorted by type, then by sequence number, so a query scans an index once for each
// type and merges the results.
const typesToMerge = ({ type, petId, orderId, keyId, withOperators }: EventFilter): EventType[] | undefined => {
  if (type || orderId !== undefined || (petId === undefined && keyId === undefined)) return undefined;
  return EVENT_TYPES.filter((one) =>
    petId === undefined ? withOperators || !OPERATORS_TYPE.test(one) : /^(pet|order)\./.test(one),
  );
};

const INSERT_INTO = `INSERT INTO events (${EVENT_COLUMNS}, pet_id)`;
const INSERT = `${INSERT_INTO} VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;
const insertRows = createInsertRows(INSERT_INTO);

const COUNT_IN = `INSERT INTO event_counts (store_id, period, start, kind, count) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (store_id, period, start, kind) DO UPDATE SET count = excluded.count`;

const EVENT_COUNT = {
  read: 'SELECT count AS total FROM event_counts WHERE store_id = $1 AND period = $2 AND start = $3 AND kind = $4',
  set: COUNT_IN,
  add: `${COUNT_IN} + event_counts.count`,
};

type Counted = Pick<Change, 'type' | 'object'>;

const countersOf = (storeId: bigint, kind: string, at: number): Counter[] =>
  Object.entries(PERIOD_MS).map(([period, ms]) => {
    const start = at - (at % ms);
    const name = `events ${storeId} ${period} ${start} ${kind}`;
    return { name, key: [storeId, period, start, kind], ...EVENT_COUNT };
  });

/**
 * On SQLite, events are counted when inserted. On PostgreSQL, they are counted when sequence numbers are assigned. The
 * counters of the current hour are kept, because creating them for each event takes 2 µs.
 */
const createCountEvents = (sql: Sql, storeId: bigint) => {
  const kept = new Map<string, Counter[]>();
  let hour = Number.NaN;
  return (events: readonly Counted[], at: number, sign = 1): MaybePromise<void>[] => {
    const counts = new Map<string, number>();
    for (const { type, object } of events) {
      counts.set(type, (counts.get(type) ?? 0) + sign);
      const isSold = type === 'pet.status_changed' && (object as { status?: string }).status === 'sold';
      if (isSold) counts.set('sold', (counts.get('sold') ?? 0) + sign);
    }
    if (at - (at % PERIOD_MS.hour) !== hour) kept.clear();
    hour = at - (at % PERIOD_MS.hour);
    const added: MaybePromise<void>[] = [];
    for (const [kind, count] of counts) {
      const counters = kept.getOrInsertComputed(kind, () => countersOf(storeId, kind, at));
      for (const counter of counters) added.push(sql.add(counter, count));
    }
    return added;
  };
};

type Deps = { now: Clock; randomText: RandomText; sequencer: Sequencer };

/**
 * Everything that does not depend on the call is created once per connection and store, because creating it takes as
 * long as an insert.
 */
export const sqlEventLog = (sql: Sql, ownStoreId: bigint, { now, randomText, sequencer }: Deps) => {
  const countOwn = createCountEvents(sql, ownStoreId);

  const toRow = (call: Call, at: number, change: Change, storeId: bigint, sequence: bigint | null) => {
    const { type, object, previous, mergedInto, petId = null, orderId = null } = change;
    const { keyId, requestId, traceparent } = call;
    const id = `evt_${randomText(24)}`;
    const data = JSON.stringify({ object, previous, mergedInto });
    const address = OPERATORS_TYPE.test(type) ? call.address : null;
    return [storeId, sequence, id, type, at, data, keyId, requestId, address, orderId, traceparent, petId] as const;
  };

  // Events of the same store share the announcement, so that a transaction usually announces them only once.
  let last = { storeId: ownStoreId, announce: () => sequencer.committed(ownStoreId) };
  const announceOnCommit = (storeId: bigint): void => {
    if (storeId !== last.storeId) last = { storeId, announce: () => sequencer.committed(storeId) };
    sql.afterCommit(last.announce);
  };

  const append = async (call: Call, change: Change): Promise<string> => {
    const { storeId = ownStoreId } = change;
    announceOnCommit(storeId);
    const at = now();
    const count = storeId === ownStoreId ? countOwn : createCountEvents(sql, storeId);
    if (sql.isSoleWriter) count([change], at);
    const next = sequencer.next(storeId, 1);
    const sequence = next instanceof Promise ? await next : next;
    const row = toRow(call, at, change, storeId, sequence);
    const inserted = sql.run(INSERT, row);
    if (inserted instanceof Promise) await inserted;
    return row[2];
  };

  const appendMany = async (call: Call, changes: readonly Change[]): Promise<void> => {
    if (changes.length === 0) return;
    const at = now();
    if (sql.isSoleWriter) countOwn(changes, at);
    const first = await sequencer.next(ownStoreId, changes.length);
    const rows = changes.map((change, index) =>
      toRow(call, at, change, ownStoreId, first === null ? null : first + BigInt(index)),
    );
    await insertRows(sql, rows);
    announceOnCommit(ownStoreId);
  };

  return (call: Call): EventLog => ({
    append: append.bind(undefined, call),
    appendMany: appendMany.bind(undefined, call),
  });
};

type DeletedRow = Pick<EventRow, 'type' | 'occurred_at' | 'data'>;

const subtractEvents = async (sql: Sql, storeId: bigint, deleted: readonly DeletedRow[]): Promise<void> => {
  const byHour = Map.groupBy(deleted, (row) => Number(row.occurred_at / BigInt(PERIOD_MS.hour)));
  for (const [hour, rows] of byHour) {
    const events = rows.map(({ type, data }) => ({ type, object: JSON.parse(data).object }));
    await Promise.all(createCountEvents(sql, storeId)(events, hour * PERIOD_MS.hour, -1));
  }
};

const sqlForget =
  (sql: Sql, storeId: bigint, now: Clock): EventRepository['forget'] =>
  async (before, most) => {
    const deleted = await sql.all<DeletedRow>(
      `DELETE FROM events WHERE store_id = $1 AND occurred_at < $2 AND sequence IN
         (SELECT sequence FROM events WHERE store_id = $1 ORDER BY sequence LIMIT $3)
       RETURNING type, occurred_at, data`,
      [storeId, before, most],
    );
    // On PostgreSQL, this update locks the store's row, so that no other transaction can assign sequence numbers before
    // this transaction commits. Assigning them would change the event counts that this transaction also changes.
    const store = await sql.one<{ oldest_event_at: bigint }>(
      `UPDATE stores SET oldest_event_at =
         coalesce((SELECT occurred_at FROM events WHERE store_id = $1 ORDER BY sequence LIMIT 1), $2) WHERE id = $1
       RETURNING oldest_event_at`,
      [storeId, now()],
    );
    await subtractEvents(sql, storeId, deleted);
    await forgetCounts(sql, storeId, Number(store?.oldest_event_at ?? 0), most);
    return deleted.length;
  };

const readPage = async (
  sql: Sql,
  asked: Parameters<typeof pageOf>[0],
  page: PageRequest<unknown>,
  types?: readonly EventType[],
): Promise<StoredEvent[]> => {
  const terms = ['sequence IS NOT NULL', ...(asked.terms ?? [])];
  const { where, end, values } = pageOf({ ...asked, terms }, page);
  const select = { text: `SELECT ${EVENT_COLUMNS} FROM events ${where}`, end, values };
  const { text } = types ? ofEach(sql, select, 'type', types) : { text: `${select.text} ${end}` };
  return (await sql.all<EventRow>(text, values)).map(toStoredEvent);
};

export const sqlEvents = (sql: Sql, storeId: bigint, sequencer: Sequencer, now: Clock): EventRepository => ({
  async list(filter, page) {
    const { type, petId, orderId, keyId, withOperators } = filter;
    if (type && !withOperators && OPERATORS_TYPE.test(type)) return [];
    await sequencer.assignPending(storeId);
    const types = typesToMerge(filter);
    const terms = type || types ? [] : visibleTerms(withOperators);
    const equal = { store_id: storeId, order_id: orderId, pet_id: petId, actor_key_id: keyId, type };
    return readPage(sql, { terms, equal, by: { sequence: page.after } }, page, types);
  },

  async find(sequence, { withOperators }) {
    await sequencer.assignPending(storeId);
    const terms = ['store_id = $1', 'sequence = $2', ...visibleTerms(withOperators)].join(' AND ');
    const row = await sql.one<EventRow>(`SELECT ${EVENT_COLUMNS} FROM events WHERE ${terms}`, [storeId, sequence]);
    return row && toStoredEvent(row);
  },

  async range() {
    await sequencer.assignPending(storeId);
    await sql.writeCounters();
    const row = await sql.one<{ first: bigint | null; last: bigint }>(
      `SELECT last_sequence AS last,
         (SELECT sequence FROM events WHERE store_id = $1 ORDER BY sequence LIMIT 1) AS first
       FROM stores WHERE id = $1`,
      [storeId],
    );
    const last = row?.last ?? 0n;
    return { first: row?.first ?? last + 1n, last };
  },

  counts: sqlCounts(sql, storeId, sequencer),

  async count() {
    // Sequence numbers have no gaps, so the first and last numbers give the count. A single statement must read both,
    // because another instance may assign numbers between two statements.
    const row = await sql.one<{ first: bigint | null; last: bigint | null; pending: bigint }>(
      `SELECT
         (SELECT sequence FROM events WHERE store_id = $1 AND sequence IS NOT NULL ORDER BY sequence LIMIT 1) AS first,
         (SELECT sequence FROM events WHERE store_id = $1 AND sequence IS NOT NULL ORDER BY sequence DESC LIMIT 1) AS last,
         (SELECT COUNT(*) FROM events WHERE store_id = $1 AND sequence IS NULL) AS pending`,
      [storeId],
    );
    const numbered = row?.first == null || row.last == null ? 0n : row.last - row.first + 1n;
    return Number(numbered + (row?.pending ?? 0n));
  },

  async sequenceOf(id, { above, upTo }) {
    const row = await sql.one<{ sequence: bigint }>(
      'SELECT sequence FROM events WHERE store_id = $1 AND sequence > $2 AND sequence <= $3 AND id = $4',
      [storeId, above, upTo, id],
    );
    return row?.sequence;
  },

  async listAudited(page) {
    await sequencer.assignPending();
    const { occurredAt, storeId, sequence } = page.after ?? {};
    const by = { occurred_at: occurredAt, store_id: storeId, sequence };
    return readPage(sql, { terms: [`(${OPERATORS})`], by }, page);
  },

  async listOfPet(petId, page) {
    await sequencer.assignPending(storeId);
    const equal = { store_id: storeId, pet_id: petId };
    return readPage(sql, { equal, by: { sequence: page.after } }, page, PET_TYPES);
  },

  forget: sqlForget(sql, storeId, now),
});

export const sqlOldEvents = (sql: Sql): OldEvents => ({
  async stores(before, most) {
    const rows = await sql.all<{ id: bigint }>(
      'SELECT id FROM stores WHERE oldest_event_at < $1 ORDER BY oldest_event_at LIMIT $2',
      [before, most],
    );
    return rows.map(({ id }) => id);
  },
});
