import { z } from 'zod';
import { EVENT_TYPES } from '../kernel/event.ts';
import { int64 } from '../kernel/int64.ts';
import { jsonInteger, parseJsonForOutput } from '../kernel/json.ts';

/** An event as it is stored. */
export type StoredEvent = {
  storeId: bigint;
  sequence: bigint;
  id: string;
  type: string;
  occurredAt: number;
  data: string;
  actorKeyId: string | null;
  requestId: string | null;
  address: string | null;
  orderId: bigint | null;
};

/** Changes of keys and webhooks are told to those who may make them. */
export const isOperators = (type: string): boolean => /^(key|webhook)\./.test(type);

export const eventType = z
  .enum(EVENT_TYPES, { error: 'must be a type of event' })
  .meta({ id: 'EventType', description: 'What happened.' });

export const eventBody = z
  .object({
    id: z.string().meta({ description: 'The same in every list, stream and delivery.' }),
    sequence: int64.meta({ description: 'Rises by one with every event of the store.' }),
    type: eventType,
    timestamp: z.iso.datetime(),
    data: z.custom<object>().meta({
      type: 'object',
      description: 'The thing as it is after the change (`object`), and the changed fields as they were (`previous`).',
    }),
    actor: z
      .object({ keyId: z.string() })
      .nullable()
      .meta({ description: 'The key behind it; null if it was the service.' }),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'Event', description: 'A change in the store.' });

export const toEventBody = (event: StoredEvent) => ({
  id: event.id,
  sequence: jsonInteger(event.sequence),
  type: event.type,
  timestamp: new Date(event.occurredAt).toISOString(),
  data: parseJsonForOutput(event.data),
  actor: event.actorKeyId === null ? null : { keyId: event.actorKeyId },
  requestId: event.requestId,
});
