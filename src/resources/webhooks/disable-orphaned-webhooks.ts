import type { WriteInStore } from '../../kernel/operation.ts';
import type { Clock } from '../../kernel/runtime.ts';
import { isLive } from '../keys/key.ts';
import type { KeyReads } from '../keys/keys.repository.ts';
import { toWebhookBody, type Webhook } from './webhook.ts';
import type { DeliveryQueue, WebhookRepositories } from './webhooks.repository.ts';

const WEBHOOKS_PER_RUN = 100;
/** Successive searches overlap by an hour, because transactions may commit late and clocks may differ. */
const OVERLAP_MS = 3_600_000;

export const disableWebhook = async (
  { webhooks, events }: WebhookRepositories,
  webhook: Webhook,
  reason: 'gone' | 'failing' | 'key_ended',
): Promise<void> => {
  const disabled: Webhook = { ...webhook, enabled: false, disabledReason: reason };
  await webhooks.update(disabled);
  const previous = { enabled: true, disabledReason: null };
  await events.append({ type: 'webhook.disabled', object: toWebhookBody(disabled), previous });
};

type Repositories = WebhookRepositories & { keys: Pick<KeyReads, 'find'> };
type Deps = { clock: Clock; queue: Pick<DeliveryQueue, 'keyless'>; write: WriteInStore<Repositories> };

/**
 * Disables webhooks whose key was revoked or has expired, so that the owner can see why no events are sent. If `keyId`
 * is omitted, the first run checks all keys. Later runs check only keys that were revoked or expired since the last run.
 */
export const disableOrphanedWebhooks = ({ clock, queue, write }: Deps) => {
  let sweptUntil = 0;
  return async (keyId?: string): Promise<void> => {
    const to = clock();
    const from = keyId === undefined ? Math.min(sweptUntil, to) - OVERLAP_MS : 0;
    const found = await queue.keyless({ from, to }, WEBHOOKS_PER_RUN, keyId);
    for (const { storeId, webhookId } of found) {
      await write(storeId, async (repositories) => {
        const webhook = await repositories.webhooks.lock(webhookId);
        if (!webhook?.enabled) return;
        // The webhook may have been given another key since it was found.
        const key = await repositories.keys.find(webhook.keyId);
        if (!key || !isLive(key, repositories.now())) await disableWebhook(repositories, webhook, 'key_ended');
      });
    }
    if (keyId === undefined && found.length < WEBHOOKS_PER_RUN) sweptUntil = to;
  };
};
