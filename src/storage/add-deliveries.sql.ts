import { READING_SCOPES } from '../kernel/event.ts';

// SQL expressions: parameters such as `$1` on SQLite, and variables of the function `number_events` on PostgreSQL.
type Range = { storeId: string; after: string; upTo: string; now: string };

const SCOPE = Object.entries(READING_SCOPES).map(([kind, scope]) => `WHEN e.type LIKE '${kind}.%' THEN '${scope}'`);

const has = (words: string, word: string): string => `' ' || ${words} || ' ' LIKE '% ' || ${word} || ' %'`;

/** The id depends only on the event and the webhook, so that adding a delivery twice has no effect. */
export const deliveryId = (eventId: string, webhookId: string): string =>
  `'dlv_' || substr(${eventId}, 5, 12) || substr(${webhookId}, 4, 12)`;

/** An SQL condition that is true if the key `k` is live. It must match the function `isLive` in `keys/key.ts`. */
export const liveKey = (now: string): string =>
  `k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${now})`;

/** `which` is an SQL condition that selects webhooks. Test events are left out: their deliveries already exist. */
export const addDeliveries = ({ storeId, after, upTo, now }: Range, which: string): string => `
  INSERT INTO deliveries
    (store_id, id, webhook_id, sequence, event_id, pet_id, attempt, state, next_attempt_at, created_at)
  SELECT e.store_id, ${deliveryId('e.id', 'w.id')}, w.id, e.sequence, e.id, e.pet_id, 0, 'pending', ${now}, ${now}
  FROM events e JOIN webhooks w ON w.store_id = e.store_id JOIN keys k ON k.id = w.key_id
  WHERE e.store_id = ${storeId} AND e.sequence > ${after} AND e.sequence <= ${upTo} AND e.type <> 'webhook.test'
    AND ${which} AND e.sequence > w.after_sequence AND ${has('w.events', 'e.type')}
    AND ${liveKey(now)}
    AND ${has('k.scopes', `CASE ${SCOPE.join(' ')} END`)}
  ON CONFLICT DO NOTHING`;
