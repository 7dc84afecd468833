import type { Clock } from '../kernel/clock.ts';
import type { EventType } from '../kernel/event.ts';
import type { RandomText } from '../kernel/ids.ts';
import { sqlAddDelivery } from '../resources/webhooks/deliveries.repository.sql.ts';
import { hiddenReason, type KeyScopes } from '../resources/webhooks/event-visibility.ts';
import type { WebhookState } from '../resources/webhooks/webhook.ts';
import type { WebhookRepository } from '../resources/webhooks/webhooks.repository.ts';
import type { Sql } from '../storage/sql.ts';
import { KEY_COLUMNS, type KeyColumns, keyScopes } from './key-scopes.sql.ts';

type Progress = { key_id: string; state: WebhookState; last_sequence: bigint; events: string };
type EventRow = { id: string; sequence: bigint; type: EventType; pet_id: bigint | null };
type Deps = { now: Clock; randomText: RandomText };

export const sqlFanOut = (sql: Sql, storeId: bigint, deps: Deps): Pick<WebhookRepository, 'fanOut' | 'clear'> => {
  const addDelivery = sqlAddDelivery(sql, storeId, deps);

  /** Locks the webhook's row. The query has no join, because on Citus a query with a join locks no rows. */
  const lockProgress = (webhookId: string) =>
    sql.one<Progress>(
      `SELECT key_id, state, last_sequence, events FROM webhooks WHERE store_id = $1 AND id = $2 ${sql.lockRows}`,
      [storeId, webhookId],
    );

  const readScopes = async (keyId: string): Promise<KeyScopes> => {
    const key = await sql.one<KeyColumns>(`SELECT ${KEY_COLUMNS} FROM keys k WHERE k.id = $1`, [keyId]);
    return key && keyScopes(key, deps.now());
  };

  const addDeliveries = async (webhookId: string, progress: Progress, most: number): Promise<number> => {
    const events = await sql.all<EventRow>(
      `SELECT id, sequence, type, pet_id FROM events
       WHERE store_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
      [storeId, progress.last_sequence, most],
    );
    const last = events.at(-1);
    if (!last) return 0;
    const wanted = new Set<string>(progress.events.split(' '));
    // A test event is sent to only one webhook, and its delivery already exists.
    wanted.delete('webhook.test');
    const scopes = await readScopes(progress.key_id);
    for (const { id, sequence, type, pet_id: petId } of events) {
      if (wanted.has(type) && !hiddenReason(type, scopes)) await addDelivery(webhookId, { id, sequence, petId });
    }
    await sql.run('UPDATE webhooks SET last_sequence = $3 WHERE store_id = $1 AND id = $2', [
      storeId,
      webhookId,
      last.sequence,
    ]);
    return events.length;
  };

  const giveUpDeliveries = async (webhookId: string, progress: Progress, most: number): Promise<boolean> => {
    const events = await addDeliveries(webhookId, progress, most);
    const given = await sql.all(
      `UPDATE deliveries SET state = 'failed', next_attempt_at = NULL WHERE store_id = $1 AND id IN (
         SELECT id FROM deliveries WHERE store_id = $1 AND webhook_id = $2 AND next_attempt_at IS NOT NULL LIMIT $3)
       RETURNING id`,
      [storeId, webhookId, most],
    );
    if (events === most || given.length === most) return false;
    await sql.run(`UPDATE webhooks SET state = 'disabled' WHERE store_id = $1 AND id = $2`, [storeId, webhookId]);
    return true;
  };

  const removeDeliveries = async (webhookId: string, most: number): Promise<boolean> => {
    const removed = await sql.all(
      `DELETE FROM deliveries WHERE store_id = $1 AND id IN (
         SELECT id FROM deliveries WHERE store_id = $1 AND webhook_id = $2 LIMIT $3)
       RETURNING id`,
      [storeId, webhookId, most],
    );
    if (removed.length === most) return false;
    await sql.run('DELETE FROM webhooks WHERE store_id = $1 AND id = $2', [storeId, webhookId]);
    return true;
  };

  return {
    async fanOut(webhookId, most) {
      const progress = await lockProgress(webhookId);
      return progress?.state === 'enabled' ? addDeliveries(webhookId, progress, most) : 0;
    },

    async clear(webhookId, most) {
      const progress = await lockProgress(webhookId);
      if (progress?.state === 'disabling') return giveUpDeliveries(webhookId, progress, most);
      return progress?.state === 'removing' ? removeDeliveries(webhookId, most) : true;
    },
  };
};
