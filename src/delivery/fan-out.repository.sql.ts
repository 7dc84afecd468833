import type { Clock } from '../kernel/clock.ts';
import type { EventType } from '../kernel/event.ts';
import type { AddDelivery } from '../resources/webhooks/deliveries.repository.sql.ts';
import { hiddenReason } from '../resources/webhooks/event-visibility.ts';
import type { WebhookState } from '../resources/webhooks/webhook.ts';
import type { Sql } from '../storage/sql.ts';
import { KEY_COLUMNS, type KeyColumns, keyScopes } from './key-scopes.sql.ts';

/** How far a webhook has been told of the events of its store. */
type Progress = KeyColumns & { state: WebhookState; last_sequence: bigint; events: string };

type EventRow = { id: string; sequence: bigint; type: EventType; pet_id: bigint | null };

type Deps = { now: Clock; addDelivery: AddDelivery };

export const sqlFanOut = (sql: Sql, storeId: bigint, { now, addDelivery }: Deps) => {
  const lockProgress = (webhookId: string) =>
    sql.one<Progress>(
      `SELECT w.state, w.last_sequence, w.events, ${KEY_COLUMNS} FROM webhooks w LEFT JOIN keys k ON k.id = w.key_id
       WHERE w.store_id = $1 AND w.id = $2 ${sql.lockRows && `${sql.lockRows} OF w`}`,
      [storeId, webhookId],
    );

  /**
   * Adds deliveries for those of the next `most` events that the webhook asks for and its key may read; returns how many
   * events there were.
   */
  const addDeliveries = async (webhookId: string, progress: Progress, most: number): Promise<number> => {
    const events = await sql.all<EventRow>(
      `SELECT id, sequence, type, pet_id FROM events
       WHERE store_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
      [storeId, progress.last_sequence, most],
    );
    const last = events.at(-1);
    if (!last) return 0;
    const wanted = new Set<string>(progress.events.split(' '));
    // A test goes to the webhook under test alone, and its delivery is there already.
    wanted.delete('webhook.test');
    const scopes = keyScopes(progress, now());
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

  return {
    lockProgress,
    addDeliveries,

    async fanOut(webhookId: string, most: number): Promise<number> {
      const progress = await lockProgress(webhookId);
      return progress?.state === 'enabled' ? addDeliveries(webhookId, progress, most) : 0;
    },
  };
};

/** What a webhook that is disabling or removing still has to do; the last of it ends that state. */
export const sqlClear = (
  sql: Sql,
  storeId: bigint,
  { lockProgress, addDeliveries }: Pick<ReturnType<typeof sqlFanOut>, 'lockProgress' | 'addDeliveries'>,
) => {
  const giveUp = async (webhookId: string, progress: Progress, most: number): Promise<boolean> => {
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

  return async (webhookId: string, most: number): Promise<boolean> => {
    const progress = await lockProgress(webhookId);
    if (progress?.state === 'disabling') return giveUp(webhookId, progress, most);
    return progress?.state === 'removing' ? removeDeliveries(webhookId, most) : true;
  };
};
