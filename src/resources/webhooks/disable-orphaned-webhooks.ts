import type { Clock } from '../../kernel/clock.ts';
import type { EventLog } from '../../kernel/event.ts';
import type { WriteInStore } from '../../kernel/operation.ts';
import { isLive } from '../keys/key.ts';
import type { KeyReads } from '../keys/keys.repository.ts';
import { switchOffWebhook } from './switch-off-webhook.ts';
import type { DeliveryQueue, WebhookRepository } from './webhooks.repository.ts';

type Repositories = { webhooks: WebhookRepository; keys: Pick<KeyReads, 'find'>; events: EventLog; now: Clock };

type Deps = { clock: Clock; queue: Pick<DeliveryQueue, 'keyless'>; write: WriteInStore<Repositories> };

const WEBHOOKS_AT_ONCE = 100;

/**
 * Switches webhooks off whose key is revoked or has expired, so that everyone sees why they are silent. They are silent
 * before: what a key may read is asked with each look at what is due.
 */
export const silenceWebhooks =
  ({ clock, queue, write }: Deps) =>
  async (): Promise<void> => {
    for (const { storeId, webhookId } of await queue.keyless(clock(), WEBHOOKS_AT_ONCE)) {
      await write(storeId, async (repositories) => {
        const webhook = await repositories.webhooks.lock(webhookId);
        if (!webhook?.enabled) return;
        // It may have been given another key since the look.
        const key = await repositories.keys.find(webhook.keyId);
        if (!key || !isLive(key, repositories.now())) await switchOffWebhook(repositories, webhook, 'key_ended');
      });
    }
  };
