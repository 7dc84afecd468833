import { z } from 'zod';
import type { BodyOf } from '../../kernel/contract.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/runtime.ts';
import { EXAMPLE, formatInstant, instant, int64, jsonInteger, objectOf } from '../../kernel/schema.ts';

const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

export type Delivery = {
  id: string;
  eventId: string;
  sequence: bigint;
  attempt: number;
  state: DeliveryState;
  responseStatus: number | null;
  responseBody: string | null;
  durationMs: number | null;
  attemptedAt: number | null;
  nextAttemptAt: number | null;
  createdAt: number;
};

const WAITS_MS = [5000, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)];

/**
 * Every retry is scheduled at most 28.8 hours (24 hours plus 20%) after the previous attempt. If a retry is due more
 * than `LATEST_RETRY_MS` from now, the clock has been set back since the retry was scheduled.
 */
export const LATEST_RETRY_MS = 48 * HOUR_MS;

/** Retry delays vary by this fraction, so that retries are not all sent at the same time. */
const JITTER = 0.2;

/** `retryAfterMs` comes from the endpoint's `Retry-After` header. Values above 24 hours count as 24 hours. */
export type AttemptResult = {
  isDelivered: boolean;
  isGone: boolean;
  responseStatus: number | null;
  responseBody: string | null;
  durationMs: number;
  retryAfterMs: number | undefined;
};

/** Returns undefined if this was the last attempt. `random` is in [0, 1). */
export const nextAttemptAt = (
  attempt: number,
  result: Pick<AttemptResult, 'retryAfterMs'>,
  now: number,
  random: number,
) => {
  const wait = WAITS_MS[attempt - 1];
  if (wait === undefined) return undefined;
  const spread = wait * (1 + JITTER * (2 * random - 1));
  const asked = Math.min(result.retryAfterMs ?? 0, 24 * HOUR_MS);
  return now + Math.round(Math.max(spread, asked));
};

export const FAILING_MS = 5 * DAY_MS;

export const deliveryIdText = z
  .string()
  .regex(/^dlv_[0-9A-Za-z]{24}$/)
  .meta({ description: 'The identifier of the delivery.', examples: [EXAMPLE.deliveryId] });

const small = z
  .int()
  .min(0)
  .meta({ format: 'int32', maximum: 2 ** 31 - 1 });

const DELIVERY = {
  id: EXAMPLE.deliveryId,
  eventId: EXAMPLE.eventId,
  sequence: 1,
  attempt: 1,
  state: 'delivered',
  responseStatus: 204,
  responseBody: '',
  durationMs: 48,
  attemptedAt: EXAMPLE.time,
  nextAttemptAt: null,
};
const DELIVERY_WORDS = 'The delivery of one event to one webhook, with its latest attempt.';

export const deliveryBody = objectOf(DELIVERY, 'Delivery', DELIVERY_WORDS, {
  id: z.string().describe('The identifier of the delivery.'),
  eventId: z.string().describe("The event's id, which is also the `webhook-id` of the request."),
  sequence: int64.describe("The event's sequence number."),
  attempt: small.describe('Number of attempts so far.'),
  state: z.enum(DELIVERY_STATES).meta({
    description:
      '`delivered`: the endpoint accepted the event. `pending`: an attempt is scheduled. `failed`: no further attempts are made.',
    examples: ['delivered'],
  }),
  responseStatus: small.nullable().describe('Status code that the endpoint returned; null if it did not respond.'),
  responseBody: z.string().nullable().describe('First 1 KiB of the response, or the reason why there was none.'),
  durationMs: small
    .nullable()
    .describe('Duration of the latest attempt in milliseconds; null before the first attempt.'),
  attemptedAt: instant.nullable().describe('Time of the latest attempt; null before the first one.'),
  nextAttemptAt: instant.nullable().describe('Time of the next attempt; null if none is scheduled.'),
});

export const toDeliveryBody = ({ createdAt: _, ...delivery }: Delivery): BodyOf<typeof deliveryBody> => ({
  ...delivery,
  sequence: jsonInteger(delivery.sequence),
  attemptedAt: formatInstant(delivery.attemptedAt),
  nextAttemptAt: formatInstant(delivery.nextAttemptAt),
});
