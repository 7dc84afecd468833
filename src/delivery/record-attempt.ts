import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import type { WriteInStore } from '../kernel/write-in-store.ts';
import { type AttemptResult, FAILING_MS, nextAttemptAt } from '../resources/webhooks/delivery.ts';
import { disableWebhook } from '../resources/webhooks/disable-orphaned-webhooks.ts';
import type {
  DueDelivery,
  DueEndpoint,
  HiddenDelivery,
  WebhookRepository,
} from '../resources/webhooks/webhooks.repository.ts';

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
  if (result.isGone) await disableWebhook(repositories, webhook, 'gone');
  else if (isClockTrusted && failingSince !== null && now - failingSince >= FAILING_MS)
    await disableWebhook(repositories, webhook, 'failing');
};

/** Ends deliveries of events that the key of a webhook may not read any more. */
export const giveUpDeliveries =
  (write: WriteInStore<{ webhooks: WebhookRepository }>) =>
  (endpoint: DueEndpoint, hidden: readonly HiddenDelivery[]): Promise<void> =>
    write(endpoint.storeId, async ({ webhooks }) => {
      for (const { delivery, reason } of hidden) await webhooks.giveUp(delivery, reason);
    });
