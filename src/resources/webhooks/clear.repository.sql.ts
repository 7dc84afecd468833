import type { Progress, sqlFanOut } from '../../delivery/fan-out.repository.sql.ts';
import type { Sql } from '../../storage/sql.ts';

type Deps = Pick<ReturnType<typeof sqlFanOut>, 'lockProgress' | 'addDeliveries'>;

/** What a webhook that is disabling or removing still has to do; the last of it ends that state. */
export const sqlClear = (sql: Sql, storeId: bigint, { lockProgress, addDeliveries }: Deps) => {
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
