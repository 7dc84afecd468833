import type { Clock } from '../kernel/runtime.ts';
import type { WebhookState } from '../resources/webhooks/webhook.ts';
import { addDeliveries } from '../storage/add-deliveries.sql.ts';
import type { Sql } from '../storage/sql.ts';
import { sqlMakeDue } from './due.sql.ts';

const RANGE = { storeId: '$1', after: '$2', upTo: '$3', now: '$4' };
const ADD_TO_ALL = `${addDeliveries(RANGE, "w.state = 'enabled'")} RETURNING id`;
const ADD_TO_ONE = addDeliveries(RANGE, 'w.id = $5');
const ADVANCE = 'UPDATE webhooks SET after_sequence = $3 WHERE store_id = $1 AND id = $2';

type Lag = { last_sequence: bigint; fanned_out: bigint; webhooks: bigint };
type Progress = { state: WebhookState; after_sequence: bigint };

const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const higher = (a: bigint, b: bigint): bigint => (a > b ? a : b);

export const sqlFanOut = (sql: Sql, storeId: bigint, now: Clock) => {
  const makeDue = sqlMakeDue(sql, storeId, now);

  /** On PostgreSQL, there is never a lag, because events get sequence numbers and deliveries at the same time. */
  const readLag = async (): Promise<Lag | undefined> => {
    await sql.writeCounters();
    return sql.one<Lag>(
      `SELECT last_sequence, fanned_out, webhooks FROM stores
       WHERE id = $1 AND webhooks > 0 AND fanned_out < last_sequence`,
      [storeId],
    );
  };

  const addTo = async (webhookId: string, progress: Progress, most: number): Promise<boolean> => {
    const lag = await readLag();
    if (!lag) return false;
    const after = higher(lag.fanned_out, progress.after_sequence);
    const upTo = lower(lag.last_sequence, after + BigInt(most));
    await sql.run(ADD_TO_ONE, [storeId, after, upTo, now(), webhookId]);
    await sql.run(ADVANCE, [storeId, webhookId, upTo]);
    await makeDue();
    return upTo < lag.last_sequence;
  };

  const lockProgress = (webhookId: string) =>
    sql.one<Progress>(`SELECT state, after_sequence FROM webhooks WHERE store_id = $1 AND id = $2 ${sql.lockRows}`, [
      storeId,
      webhookId,
    ]);

  const giveUpDeliveries = async (webhookId: string, progress: Progress, most: number): Promise<boolean> => {
    const hasMore = await addTo(webhookId, progress, most);
    const given = await sql.all(
      `UPDATE deliveries SET state = 'failed', next_attempt_at = NULL WHERE store_id = $1 AND id IN (
         SELECT id FROM deliveries WHERE store_id = $1 AND webhook_id = $2 AND next_attempt_at IS NOT NULL LIMIT $3)
       RETURNING id`,
      [storeId, webhookId, most],
    );
    if (hasMore || given.length === most) return false;
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
    async fanOut(most: number): Promise<boolean> {
      const lag = await readLag();
      if (!lag) return false;
      const events = higher(1n, BigInt(most) / lag.webhooks);
      const upTo = lower(lag.last_sequence, lag.fanned_out + events);
      const added = await sql.all(ADD_TO_ALL, [storeId, lag.fanned_out, upTo, now()]);
      await sql.run('UPDATE stores SET fanned_out = $2 WHERE id = $1', [storeId, upTo]);
      if (added.length > 0) await makeDue();
      return upTo < lag.last_sequence;
    },

    async fanOutTo(webhookId: string, most: number): Promise<void> {
      const progress = await lockProgress(webhookId);
      if (progress?.state === 'enabled') await addTo(webhookId, progress, most);
    },

    async clear(webhookId: string, most: number): Promise<boolean> {
      const progress = await lockProgress(webhookId);
      if (progress?.state === 'disabling') return giveUpDeliveries(webhookId, progress, most);
      return progress?.state === 'removing' ? removeDeliveries(webhookId, most) : true;
    },
  };
};
