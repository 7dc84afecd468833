import pg from 'pg';

/**
 * Some invariants expect one event for each version of a pet. A request that changes both the name and the status of a
 * pet writes two events for one version, so no proof may send such a request.
 */
type Invariant = {
  what: string;
  finds: string;
  /**
   * SQL that violates the invariant. `askInvariants` uses this SQL to check that `finds` detects the violation. The
   * database must contain pets and open orders.
   */
  breaks: string;
};

const OPEN = "('placed', 'approved')";

export const OF_BOTH_ENGINES: readonly Invariant[] = [
  {
    what: 'each pet is in at most one open order',
    finds: `SELECT store_id, pet_id FROM orders WHERE status IN ${OPEN} GROUP BY store_id, pet_id HAVING count(*) > 1`,
    breaks: `INSERT INTO orders SELECT store_id, id + 1000000, pet_id, status, placed_by_key_id, placed_at, updated_at, expires_at
      FROM orders WHERE status IN ${OPEN} LIMIT 1`,
  },
  {
    what: 'a pet is held by its open order, and by no other',
    finds: `SELECT p.id, o.id FROM (SELECT * FROM pets WHERE held_by_order_id IS NOT NULL) p
      FULL JOIN (SELECT * FROM orders WHERE status IN ${OPEN}) o
        ON o.store_id = p.store_id AND o.pet_id = p.id AND o.id = p.held_by_order_id
      WHERE p.id IS NULL OR o.id IS NULL OR p.status <> 'pending'`,
    breaks: `UPDATE pets SET held_by_order_id = NULL WHERE (store_id, id) IN
      (SELECT store_id, pet_id FROM orders WHERE status IN ${OPEN} LIMIT 1)`,
  },
  {
    what: 'counts equal recounts',
    finds: `SELECT * FROM (SELECT store_id, status, sum(count) AS counted FROM inventory GROUP BY store_id, status) i
      FULL JOIN (SELECT store_id, status, count(*) AS there FROM pets GROUP BY store_id, status) p USING (store_id, status)
      WHERE coalesce(counted, 0) <> coalesce(there, 0)`,
    breaks:
      "UPDATE inventory SET count = count + 1 WHERE slot = (SELECT min(slot) FROM inventory WHERE status = 'sold')",
  },
  {
    what: 'event sequences have no gap',
    finds: `SELECT store_id FROM events GROUP BY store_id
      HAVING count(*) <> count(sequence) OR count(*) <> max(sequence) OR min(sequence) <> 1`,
    breaks:
      "DELETE FROM events WHERE type = 'pet.updated' AND sequence = (SELECT min(sequence) FROM events WHERE type = 'pet.updated')",
  },
  {
    what: 'each pet was created by one event, and exists or was removed by one',
    finds: `SELECT * FROM (SELECT store_id, pet_id, count(*) FILTER (WHERE type = 'pet.created') AS created,
        count(*) FILTER (WHERE type = 'pet.deleted') AS deleted FROM events WHERE type LIKE 'pet.%' GROUP BY store_id, pet_id) e
      FULL JOIN (SELECT store_id, id AS pet_id, 1 AS there FROM pets) p USING (store_id, pet_id)
      WHERE created IS DISTINCT FROM 1 OR deleted + coalesce(there, 0) <> 1`,
    breaks: 'DELETE FROM pets WHERE id = (SELECT max(id) FROM pets)',
  },
  {
    what: 'each change of a pet has one event',
    finds: `SELECT p.id, p.version, count(e.id) FROM pets p
      LEFT JOIN events e ON e.store_id = p.store_id AND e.pet_id = p.id AND e.type LIKE 'pet.%'
      GROUP BY p.store_id, p.id HAVING count(e.id) <> p.version`,
    breaks: 'UPDATE pets SET version = version + 1 WHERE id = (SELECT max(id) FROM pets)',
  },
];

const INVARIANTS: readonly Invariant[] = [
  ...OF_BOTH_ENGINES,
  {
    what: 'the last event of a pet shows its current state',
    finds: `SELECT p.id, e.data FROM pets p, LATERAL (SELECT data::jsonb -> 'object' AS data FROM events e
        WHERE e.store_id = p.store_id AND e.pet_id = p.id AND e.type LIKE 'pet.%' ORDER BY sequence DESC LIMIT 1) e
      WHERE (e.data ->> 'name', e.data ->> 'categoryId', e.data ->> 'status') IS DISTINCT FROM
        (p.name, p.category_id::text, p.status)`,
    breaks: "UPDATE pets SET name = name || '!' WHERE id = (SELECT max(id) FROM pets)",
  },
  {
    what: 'each status change of an order has one event, and the last shows its current state',
    finds: `SELECT o.id, o.status, e.moves FROM orders o, LATERAL (
        SELECT array_agg(data::jsonb -> 'object' ->> 'status' ORDER BY sequence) AS moves FROM events
        WHERE store_id = o.store_id AND order_id = o.id AND type LIKE 'order.%') e
      WHERE e.moves IS NULL OR e.moves[1] <> 'placed' OR e.moves[cardinality(e.moves)] <> o.status
        OR cardinality(e.moves) <> (SELECT count(DISTINCT move) FROM unnest(e.moves) AS move)`,
    breaks: "UPDATE orders SET status = 'expired' WHERE id = (SELECT max(id) FROM orders)",
  },
  {
    what: 'each stored response of an idempotency key belongs to a completed request',
    finds: `SELECT idempotency_key FROM idempotency i WHERE body::jsonb ? 'petId'
        AND NOT EXISTS (SELECT FROM orders o WHERE o.store_id = i.store_id AND o.id = (i.body::jsonb ->> 'id')::bigint)
      UNION ALL SELECT idempotency_key FROM idempotency i WHERE body::jsonb ? 'categoryId'
        AND NOT EXISTS (SELECT FROM events e WHERE e.store_id = i.store_id AND e.pet_id = (i.body::jsonb ->> 'id')::bigint)`,
    breaks: 'DELETE FROM orders WHERE id = (SELECT max(id) FROM orders)',
  },
];

export const askInvariants = async (url: string) => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const found: Record<string, unknown[]> = {};
    const blind: string[] = [];
    for (const { what, finds, breaks } of INVARIANTS) {
      const { rows } = await client.query(finds);
      if (rows.length > 0) found[what] = rows.slice(0, 3);
      await client.query('BEGIN');
      await client.query(breaks);
      if ((await client.query(finds)).rows.length === 0) blind.push(what);
      await client.query('ROLLBACK');
    }
    return { found, blind };
  } finally {
    await client.end();
  }
};
