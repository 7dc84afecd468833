import { expect } from 'bun:test';
import { readTogether } from '../database.ts';
import { KEPT_MS, type Order, type Pet, type StoreModel } from './store-model.ts';

export type LoggedEvent = {
  sequence: number;
  type: string;
  requestId: string | null;
  occurredAt: number;
  petId: number | null;
  orderId: number | null;
  object: any;
  previous: any;
};

type KeptRow = { body: unknown; at: number };

const QUERIES = {
  pets: `SELECT id, name, category_id AS "categoryId", status, version, held_by_order_id AS "heldBy"
    FROM pets WHERE store_id = 1 ORDER BY id`,
  orders: `SELECT id, pet_id AS "petId", status, placed_at AS "placedAt", updated_at AS "updatedAt",
      expires_at AS "expiresAt"
    FROM orders WHERE store_id = 1 ORDER BY id`,
  categories: 'SELECT id, name FROM categories WHERE store_id = 1 ORDER BY id',
  counts: 'SELECT status, sum(count) AS count FROM inventory WHERE store_id = 1 GROUP BY status',
  kept: 'SELECT idempotency_key AS key, body, kept_at AS at FROM idempotency WHERE store_id = 1',
  sequence: `SELECT (SELECT last_sequence FROM stores WHERE id = 1) AS last, count(*) AS events,
      max(sequence) AS highest, min(sequence) AS lowest, count(DISTINCT id) AS ids
    FROM events WHERE store_id = 1`,
};

const eventsBehind = (sequence: number) =>
  `SELECT sequence, type, request_id AS "requestId", occurred_at AS "occurredAt", pet_id AS "petId",
     order_id AS "orderId", data
   FROM events WHERE store_id = 1 AND sequence > ${sequence} ORDER BY sequence`;

export type Snapshot = Awaited<ReturnType<typeof readSnapshot>>;

export const readSnapshot = async (place: string, behind: number) => {
  const rows = await readTogether(place, { ...QUERIES, events: eventsBehind(behind) });
  return {
    pets: rows.pets as Pet[],
    orders: rows.orders as Order[],
    categories: rows.categories,
    counts: rows.counts,
    kept: new Map(rows.kept.map(({ key, body, at }): [string, KeptRow] => [key, { body: JSON.parse(body), at }])),
    sequence: rows.sequence[0],
    events: rows.events.map(({ data, ...event }): LoggedEvent => ({ ...event, ...JSON.parse(data) })),
  };
};

const byId = <Row extends { id: number }>(rows: Iterable<Row>): Row[] => [...rows].sort((a, b) => a.id - b.id);

export const categoriesOf = ({ categories }: StoreModel) => byId([...categories].map(([id, name]) => ({ id, name })));

const expectSound = ({ pets, orders, counts, sequence }: Snapshot): void => {
  const open = orders.filter(({ status }) => status === 'placed' || status === 'approved');
  const holders = new Map(open.map(({ id, petId }) => [petId, id]));
  expect(holders.size).toBe(open.length);
  const held = pets.filter(({ heldBy }) => heldBy !== null);
  expect(new Map(held.map(({ id, heldBy }) => [id, heldBy as number]))).toEqual(holders);
  for (const { status } of held) expect(status).toBe('pending');

  const delivered = orders.filter(({ status }) => status === 'delivered').map(({ petId }) => petId);
  expect(new Set(delivered).size).toBe(delivered.length);
  for (const { id, status } of pets) if (delivered.includes(id)) expect(status).toBe('sold');

  const counted = Object.fromEntries(counts.map(({ status, count }) => [status, count]));
  for (const status of ['available', 'pending', 'sold'] as const) {
    expect(counted[status] ?? 0).toBe(pets.filter((pet) => pet.status === status).length);
  }
  const { events, ids, highest, lowest, last } = sequence;
  expect({ ids, highest, lowest, last }).toEqual({ ids: events, highest: events, lowest: 1, last: events });
};

export const expectRows = (model: StoreModel, snapshot: Snapshot, now: number): void => {
  expectSound(snapshot);
  const isYoung = ([, { at }]: [unknown, { at: number }]) => at > now - KEPT_MS;
  const bodies = (kept: [string, { body: unknown }][]) => new Map(kept.map(([key, { body }]) => [key, body]));
  expect(bodies([...snapshot.kept].filter(isYoung))).toEqual(bodies(model.kept().filter(isYoung)));
  expect(snapshot.pets).toEqual(byId(model.pets.values()));
  expect(snapshot.orders).toEqual(byId(model.orders.values()));
  expect(snapshot.categories).toEqual(categoriesOf(model));
};
