import type { WriteInStore } from '../kernel/operation.ts';
import type { Clock, TrustedClock } from '../kernel/runtime.ts';
import { toEventBody } from '../resources/events/event.body.ts';
import { type AttemptResult, FAILING_MS, nextAttemptAt } from '../resources/webhooks/delivery.ts';
import { disableWebhook } from '../resources/webhooks/disable-orphaned-webhooks.ts';
import type { DueDelivery, DueEndpoint, WebhookRepositories } from '../resources/webhooks/webhooks.repository.ts';
import type { Send } from './send.ts';
import { signatureHeaders } from './signature.ts';

type Repositories = WebhookRepositories & { now: Clock };

/**
 * If the webhook's URL has changed since the attempt, the result does not affect the webhook's health. While the clock
 * is not trusted, no webhook is disabled for failing, because a wrong clock could make a webhook seem to have failed
 * for days.
 * @internal
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
  // Disabling a webhook cancels its pending deliveries, so a failed delivery to a disabled webhook is not tried again.
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

type Deps = {
  send: Send;
  write: WriteInStore<Repositories>;
  release(endpoint: DueEndpoint, delivery: DueDelivery): Promise<void>;
  clock: Clock;
  trustedNow: TrustedClock;
  random: () => number;
  version: string;
};

const unlessAborted = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> =>
  new Promise((resolve, reject) => {
    const abort = () => resolve(undefined);
    signal.addEventListener('abort', abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });

/** An attempt that a shutdown interrupts is not recorded, and is repeated later. */
export const attemptDelivery =
  ({ send, write, release, clock, trustedNow, random, version }: Deps) =>
  async (endpoint: DueEndpoint, delivery: DueDelivery, cutOff: AbortSignal): Promise<boolean> => {
    const body = JSON.stringify(toEventBody(delivery.event));
    const timestampSeconds = Math.floor(clock() / 1000);
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': `Petstore/${version}`,
      ...(delivery.event.traceparent === null ? {} : { traceparent: delivery.event.traceparent }),
      ...signatureHeaders({ eventId: delivery.event.id, timestampSeconds, body }, endpoint.secrets),
    };
    const result = cutOff.aborted ? undefined : await unlessAborted(send({ url: endpoint.url, headers, body }), cutOff);
    if (!result) {
      await release(endpoint, delivery);
      return false;
    }
    const from = { random: random(), isClockTrusted: trustedNow() !== undefined };
    await write(endpoint.storeId, (repositories) => recordAttempt(repositories, endpoint, delivery, result, from));
    return result.isDelivered;
  };
