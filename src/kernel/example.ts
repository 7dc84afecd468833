import { z } from 'zod';

/** What the examples of the document share, so that they tell of the same things. */
export const EXAMPLE = {
  petId: 1,
  orderId: 1,
  keyId: 'key_2bR9xGq0TfLm7VdYc4HnWs1K',
  webhookId: 'wh_8ZkQ3uJv5NsXb1PyD6TgMe0C',
  deliveryId: 'dlv_5HtW0oRi7EaVj2LqF9KxSz4B',
  eventId: 'evt_1CfY6mDn8UwGp3ZsJ0BvTk5Q',
  requestId: 'req_9XeA4hKt2LyRq7MbV5WcPj8G',
  time: '2026-11-20T12:00:00.000Z',
  later: '2026-11-20T13:00:00.000Z',
} as const;

/** The example that a schema carries. */
export const exampleOf = (schema: z.ZodType): Record<string, unknown> | undefined =>
  (schema.meta()?.examples as Record<string, unknown>[] | undefined)?.[0];

/** A list of things, with one of them as its example. */
export const listOf = <Item extends z.ZodType>(item: Item, words: { id: string; description: string }) =>
  z.array(item).meta({ ...words, examples: [[exampleOf(item)]] });
