import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import { type AttemptResult, FAILING_MS, nextAttemptAt } from '../resources/webhooks/delivery.ts';
import { switchOffWebhook } from '../resources/webhooks/switch-off-webhook.ts';
import type { DueDelivery, DueEndpoint, WebhookRepository } from '../resources/webhooks/webhooks.repository.ts';

type Repositories = { webhooks: WebhookRepository; events: EventLog; now: Clock };

/**
 * `random` spreads the next attempt. A clock that is not trusted ends nothing: pending deliveries would be given up with
 * the webhook.
 */
type Told = { random: number; isClockTrusted: boolean };

/**
 * Keeps what an attempt came to, and switches the endpoint off if it says that it is gone or has failed for too long.
 * An attempt to an address that the webhook has left meanwhile says nothing of the new one.
 */
export const recordAttempt = async (
  repositories: Repositories,
  { webhookId, url }: Pick<DueEndpoint, 'webhookId' | 'url'>,
  delivery: DueDelivery,
  result: AttemptResult,
  { random, isClockTrusted }: Told,
): Promise<void> => {
  const now = repositories.now();
  const webhook = await repositories.webhooks.lock(webhookId);
  // A webhook that was switched off meanwhile has given up all its deliveries, this one too.
  const isTriedAgain = !result.isDelivered && webhook?.enabled === true;
  const again = isTriedAgain ? nextAttemptAt(delivery.attempt + 1, result, now, random) : undefined;
  const state = result.isDelivered ? 'delivered' : again === undefined ? 'failed' : 'pending';
  await repositories.webhooks.recordAttempt(delivery, result, { state, attemptAt: again ?? null });
  if (!webhook?.enabled || webhook.url !== url) return;

  const failingSince = await repositories.webhooks.noteHealth(webhookId, result.isDelivered);
  if (result.isGone) await switchOffWebhook(repositories, webhook, 'gone');
  else if (isClockTrusted && failingSince !== null && now - failingSince >= FAILING_MS)
    await switchOffWebhook(repositories, webhook, 'failing');
};
