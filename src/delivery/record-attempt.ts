import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import { type AttemptResult, FAILING_MS, nextAttemptAt } from '../resources/webhooks/delivery.ts';
import { disableWebhook } from '../resources/webhooks/disable-orphaned-webhooks.ts';
import type { DueDelivery, DueEndpoint, WebhookRepository } from '../resources/webhooks/webhooks.repository.ts';

type Repositories = { webhooks: WebhookRepository; events: EventLog; now: Clock };

/**
 * Records the result of an attempt, and disables a webhook whose endpoint is gone or has failed for too long. An attempt
 * to an address that the webhook has left says nothing of the new one.
 *
 * `random` spreads the next attempt. A clock that is not trusted disables nothing: pending deliveries would be given up
 * with the webhook.
 */
export const recordAttempt = async (
  repositories: Repositories,
  { webhookId, url }: Pick<DueEndpoint, 'webhookId' | 'url'>,
  delivery: DueDelivery,
  result: AttemptResult,
  { random, isClockTrusted }: { random: number; isClockTrusted: boolean },
): Promise<void> => {
  const now = repositories.now();
  const webhook = await repositories.webhooks.lock(webhookId);
  // A webhook that was disabled meanwhile has given up all its deliveries, this one too.
  const isTriedAgain = !result.isDelivered && webhook?.enabled === true;
  const again = isTriedAgain ? nextAttemptAt(delivery.attempt + 1, result, now, random) : undefined;
  const state = result.isDelivered ? 'delivered' : again === undefined ? 'failed' : 'pending';
  await repositories.webhooks.recordAttempt(delivery, result, { state, attemptAt: again ?? null });
  if (!webhook?.enabled || webhook.url !== url) return;

  const failingSince = await repositories.webhooks.noteHealth(webhookId, result.isDelivered);
  if (result.isGone) await disableWebhook(repositories, webhook, 'gone');
  else if (isClockTrusted && failingSince !== null && now - failingSince >= FAILING_MS)
    await disableWebhook(repositories, webhook, 'failing');
};
