import { Database as SqliteFile } from 'bun:sqlite';
import { addDeliveries } from '../../src/storage/add-deliveries.sql.ts';
import type { SqlValue } from '../../src/storage/sql.ts';
import { MIGRATIONS } from '../../src/storage/sqlite/migrations.ts';
import { fillStore } from './stored.ts';

/** How PostgreSQL's tables differ from SQLite's: events get their numbers later, and there is a table of leases. */
const DIFFERING = `
  DROP TABLE events;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT, store_id INTEGER NOT NULL, sequence INTEGER, id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL, occurred_at INTEGER NOT NULL, data TEXT NOT NULL, actor_key_id TEXT, request_id TEXT,
    traceparent TEXT, address TEXT, pet_id INTEGER, order_id INTEGER, UNIQUE (store_id, sequence)) STRICT;
  ALTER TABLE stores ADD COLUMN sequenced_in INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) STRICT;`;

const ADD_DELIVERIES = addDeliveries({ storeId: '$1', after: '$2', upTo: '$3', now: '$4' }, "w.state = 'enabled'");

const NEXT_IDS = `INSERT INTO ids (kind, highest) VALUES ($1, $2)
  ON CONFLICT (kind) DO UPDATE SET highest = ids.highest + excluded.highest RETURNING highest`;

export const makeServerTemplate = (): Buffer => {
  const file = new SqliteFile(':memory:');
  for (const migration of [...MIGRATIONS, DIFFERING]) file.run(migration);
  fillStore(file);
  return file.serialize();
};

export type Values = readonly SqlValue[];
export type Lease = { name: string; holder: string; until: number };

export const openServerRows = (template: Buffer, clock: () => number) => {
  const file = SqliteFile.deserialize(template, { strict: true, safeIntegers: true });
  const texts = new Map<string, string>();
  let commits = 0n;

  const query = <Row>(text: string, values: Values = []): Row[] => {
    const spelt = texts.get(text) ?? text.replaceAll(/\$(\d+)/g, '?$1');
    texts.set(text, spelt);
    return file.query(spelt).all(...(values as SqlValue[])) as Row[];
  };

  const number = ([storeId = 1n, most = 0]: Values): bigint => {
    const now = clock();
    const [store] = query<{ last: bigint }>('SELECT last_sequence AS last FROM stores WHERE id = $1', [storeId]);
    const pending = query<{ id: string }>(
      'SELECT id FROM events WHERE store_id = $1 AND sequence IS NULL ORDER BY position LIMIT $2',
      [storeId, most],
    );
    let last = store?.last ?? 0n;
    for (const { id } of pending) {
      last += 1n;
      query('UPDATE events SET sequence = $1 WHERE id = $2', [last, id]);
    }
    if (pending.length > 0) {
      query(ADD_DELIVERIES, [storeId, store?.last ?? 0n, last, now]);
      query(
        `UPDATE stores SET last_sequence = $2, fanned_out = $2, due_at = min(coalesce(due_at, $3), $3), sequenced_in = $4
         WHERE id = $1`,
        [storeId, last, now, commits + 1n],
      );
    }
    return pending.length === Number(most) ? 1n : 0n;
  };

  const changes = ([mark]: Values) => {
    const since = /^\d{1,9}$/.test(String(mark)) ? BigInt(String(mark)) : commits;
    const stores = query<{ id: bigint }>('SELECT id FROM stores WHERE sequenced_in > $1', [since]);
    const seen = stores.length === 0 ? null : stores.map(({ id }) => id).join(' ');
    return { now: BigInt(clock()), mark: String(commits), keys: null, stores: seen, instances: 0n };
  };

  return {
    file,
    run(text: string, values: Values): unknown[] {
      if (text.includes('number_events(')) return [{ has_more: number(values) }];
      if (text.includes('pg_current_snapshot()')) return [changes(values)];
      return query(text, values);
    },
    nextIds(kind: string, count: number): bigint[] {
      const [row] = query<{ highest: bigint }>(NEXT_IDS, [kind, count]);
      return Array.from({ length: count }, (_, index) => (row?.highest ?? 0n) - BigInt(count - 1 - index));
    },
    begin: (): void => void file.run('BEGIN'),
    rollback: (): void => void file.run('ROLLBACK'),
    commit(): void {
      file.run('COMMIT');
      commits += 1n;
    },
    leases: (): Lease[] =>
      query<Lease>('SELECT name, holder, until FROM leases').map((lease) => ({ ...lease, until: Number(lease.until) })),
  };
};

export type ServerRows = ReturnType<typeof openServerRows>;
