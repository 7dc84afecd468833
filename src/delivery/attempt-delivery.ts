import type { Clock, TrustedClock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import type { WriteInStore } from '../kernel/operation.ts';
import { toEventBody } from '../resources/events/event.body.ts';
import type { DueDelivery, DueEndpoint, WebhookRepository } from '../resources/webhooks/webhooks.repository.ts';
import { recordAttempt } from './record-attempt.ts';
import type { Send } from './send.ts';
import { signatureHeaders } from './signature.ts';

type Deps = {
  send: Send;
  write: WriteInStore<{ webhooks: WebhookRepository; events: EventLog; now: Clock }>;
  clock: Clock;
  trustedNow: TrustedClock;
  /** Spreads the next attempt. */
  random: () => number;
  version: string;
};

/** Resolves with undefined when the signal comes first. */
const unlessAborted = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> =>
  new Promise((resolve, reject) => {
    const abort = () => resolve(undefined);
    signal.addEventListener('abort', abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });

/**
 * Sends an event to an endpoint and records the result; says whether it was delivered. An attempt that the end of the
 * process cuts off is not recorded: the delivery stays due, and is attempted again after the next start.
 */
export const attemptDelivery =
  ({ send, write, clock, trustedNow, random, version }: Deps) =>
  async (endpoint: DueEndpoint, delivery: DueDelivery, cutOff: AbortSignal): Promise<boolean> => {
    const body = JSON.stringify(toEventBody(delivery.event));
    const timestampSeconds = Math.floor(clock() / 1000);
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': `Petstore/${version}`,
      ...(delivery.event.traceparent === null ? {} : { traceparent: delivery.event.traceparent }),
      ...signatureHeaders({ eventId: delivery.event.id, timestampSeconds, body }, endpoint.secrets),
    };
    const result = await unlessAborted(send({ url: endpoint.url, headers, body }), cutOff);
    if (!result) return false;
    const from = { random: random(), isClockTrusted: trustedNow() !== undefined };
    await write(endpoint.storeId, (repositories) => recordAttempt(repositories, endpoint, delivery, result, from));
    return result.isDelivered;
  };
