import type { EventLog } from '../../kernel/event.ts';
import { toWebhookBody, type Webhook } from './webhook.ts';
import type { WebhookRepository } from './webhooks.repository.ts';

type Repositories = { webhooks: WebhookRepository; events: EventLog };

/** What the service does itself: nothing more is sent, and an operator can hear of it. */
export const switchOffWebhook = async (
  repositories: Repositories,
  webhook: Webhook,
  reason: 'gone' | 'failing' | 'key_ended',
): Promise<void> => {
  const disabled: Webhook = { ...webhook, enabled: false, disabledReason: reason };
  await repositories.webhooks.update(disabled);
  await repositories.events.append({
    type: 'webhook.disabled',
    object: toWebhookBody(disabled),
    previous: { enabled: true, disabledReason: null },
  });
};
