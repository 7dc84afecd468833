import type { Sql } from '../database/sql.ts';
import type { AddDelivery } from './deliveries.repository.sql.ts';
import type { WebhookState } from './webhook.ts';

/** How far a webhook has been told of the events of its store. */
export type Progress = { state: WebhookState; last_sequence: bigint; events: string };

type EventRow = { id: string; sequence: bigint; type: string; pet_id: bigint | null };

export const sqlFanOut = (sql: Sql, storeId: bigint, addDelivery: AddDelivery) => {
  const lockProgress = (webhookId: string) =>
    sql.one<Progress>(
      `SELECT state, last_sequence, events FROM webhooks WHERE store_id = $1 AND id = $2 ${sql.lockRows}`,
      [storeId, webhookId],
    );

  /** Adds deliveries for those of the next `most` events that the webhook asks for; returns how many events there were. */
  const addDeliveries = async (webhookId: string, progress: Progress, most: number): Promise<number> => {
    const events = await sql.all<EventRow>(
      `SELECT id, sequence, type, pet_id FROM events
       WHERE store_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
      [storeId, progress.last_sequence, most],
    );
    const last = events.at(-1);
    if (!last) return 0;
    const wanted = new Set(progress.events.split(' '));
    // A test goes to the webhook under test alone, and its delivery is there already.
    wanted.delete('webhook.test');
    for (const { id, sequence, type, pet_id: petId } of events) {
      if (wanted.has(type)) await addDelivery(webhookId, { id, sequence, petId });
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
