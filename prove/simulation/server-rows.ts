import { Database as SqliteFile } from 'bun:sqlite';
import { addDeliveries } from '../../src/storage/add-deliveries.sql.ts';
import type { SqlValue } from '../../src/storage/sql.ts';
import { MIGRATIONS } from '../../src/storage/sqlite/migrations.ts';
import { fillStore } from './stored.ts';

/**
 * Changes the SQLite schema so that it imitates the PostgreSQL schema. On PostgreSQL, events get their sequence numbers
 * after the commit, and `deployment` names the leader.
 */
const DIFFERING = `
  DROP TABLE events;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT, store_id INTEGER NOT NULL, sequence INTEGER, id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL, occurred_at INTEGER NOT NULL, data TEXT NOT NULL, actor_key_id TEXT, request_id TEXT,
    traceparent TEXT, address TEXT, pet_id INTEGER, order_id INTEGER, UNIQUE (store_id, sequence)) STRICT;
  CREATE UNIQUE INDEX idempotency_key ON idempotency (store_id, key_id, idempotency_key);
  ALTER TABLE deployment ADD COLUMN leader TEXT;
  ALTER TABLE deployment ADD COLUMN leader_until INTEGER NOT NULL DEFAULT 0;
  INSERT INTO deployment (environment) VALUES ('production');`;

/** When a webhook is disabled, copies its deliveries' claims to a column that only the simulation's checks read. */
const CLAIM_NOTES = `
  ALTER TABLE deliveries ADD COLUMN claim_when_disabled INTEGER;
  CREATE TRIGGER note_claims AFTER UPDATE OF state ON webhooks WHEN OLD.state = 'enabled' AND NEW.state <> 'enabled'
  BEGIN
    UPDATE deliveries SET claim_when_disabled = claimed_until WHERE store_id = NEW.store_id AND webhook_id = NEW.id;
  END;`;
/**
 * True while the delivery still has the claim that it had when its webhook was disabled. Recording or releasing an
 * attempt clears `claimed_until`, and a new claim changes `claimed_until`.
 */
export const CLAIMED_IN_TIME = 'd.claimed_until = d.claim_when_disabled';

const NEXT_IDS = `INSERT INTO ids (store_id, kind, highest) VALUES ($1, $2, $3)
  ON CONFLICT (store_id, kind) DO UPDATE SET highest = ids.highest + excluded.highest RETURNING highest`;

const ADD_DELIVERIES = `${addDeliveries({ storeId: '$1', after: '$2', upTo: '$3', now: '$4' }, "w.state = 'enabled'")}
  RETURNING id`;

/** In the simulation, the leader runs every job, even a job that has nothing to do. */
const ALL_WORK = { events: '1', orders: '1', resets: '1', webhooks: '1' };

type Head = { last: bigint; fanned_out: bigint; due_at: bigint | null };
type Shared = { leader: string | null; leader_until: bigint };

export const makeServerTemplate = (): Buffer => {
  const file = new SqliteFile(':memory:');
  for (const migration of [...MIGRATIONS, DIFFERING, CLAIM_NOTES]) file.run(migration);
  fillStore(file);
  return file.serialize();
};

export type Values = readonly SqlValue[];
export type Term = { holder: string | null; until: number };

export const openServerRows = (template: Buffer, clock: () => number) => {
  const file = SqliteFile.deserialize(template, { strict: true, safeIntegers: true });
  const texts = new Map<string, string>();

  const query = <Row>(text: string, values: Values = []): Row[] => {
    const spelt = texts.get(text) ?? text.replaceAll(/\$(\d+)/g, '?$1');
    texts.set(text, spelt);
    return file.query(spelt).all(...(values as SqlValue[])) as Row[];
  };

  const numberEvents = ([storeId = 1n, most = 0]: Values): bigint => {
    const at = clock();
    const [head] = query<Head>('SELECT last_sequence AS last, fanned_out, due_at FROM stores WHERE id = $1', [storeId]);
    if (!head) throw new Error(`store ${storeId} is not open`);
    const pending = query<{ id: string }>(
      'SELECT id FROM events WHERE store_id = $1 AND sequence IS NULL ORDER BY position LIMIT $2',
      [storeId, most],
    );
    let { last } = head;
    for (const { id } of pending) {
      last += 1n;
      query('UPDATE events SET sequence = $1 WHERE id = $2', [last, id]);
    }
    const added = query(ADD_DELIVERIES, [storeId, head.fanned_out, last, at]);
    const dueAt = added.length > 0 ? at : head.due_at;
    query('UPDATE stores SET last_sequence = $2, fanned_out = $2, due_at = $3 WHERE id = $1', [storeId, last, dueAt]);
    return (pending.length === Number(most) ? 1n : 0n) + (dueAt === null ? 0n : 2n);
  };

  const readShared = (): Shared => query<Shared>('SELECT leader, leader_until FROM deployment')[0] as Shared;

  const changes = () => ({ ...readShared(), has_work: '1', now: BigInt(clock()), key_changes: 0n, keys: null });

  return {
    file,
    run(text: string, values: Values): unknown[] {
      if (text.includes('number_events(')) return [{ flags: numberEvents(values) }];
      if (text.includes('clock_timestamp()')) return [changes()];
      if (text.includes(' AS webhooks')) return [ALL_WORK];
      return query(text, values);
    },
    nextIds(kind: string, storeId: bigint, count: number): bigint[] {
      const [row] = query<{ highest: bigint }>(NEXT_IDS, [storeId, kind, count]);
      return Array.from({ length: count }, (_, index) => (row?.highest ?? 0n) - BigInt(count - 1 - index));
    },
    begin: (): void => void file.run('BEGIN'),
    rollback: (): void => void file.run('ROLLBACK'),
    commit: (): void => void file.run('COMMIT'),
    term: (): Term => ({ holder: readShared().leader, until: Number(readShared().leader_until) }),
  };
};

export type ServerRows = ReturnType<typeof openServerRows>;
