import { z } from 'zod';
import type { BodyOf } from '../kernel/contract.ts';
import { EVENT_TYPES, type EventType } from '../kernel/event.ts';
import { EXAMPLE, exampleOf } from '../kernel/example.ts';
import { instant } from '../kernel/instant.ts';
import { int64 } from '../kernel/int64.ts';
import { jsonInteger, parseJsonForOutput } from '../kernel/json.ts';
import { petBody } from '../pets/pet.ts';
import { actorBody } from './actor.ts';

/** An event as it is stored. */
export type StoredEvent = {
  storeId: bigint;
  sequence: bigint;
  id: string;
  type: EventType;
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

type EventFields = Record<string, unknown>;

/** The thing as it is after the change, and the changed fields as they were. */
type EventData = { object: EventFields; previous?: EventFields };

/** What was stored of an event, as it is to be written once more. */
export const readEventData = ({ data }: StoredEvent) => parseJsonForOutput(data) as EventData;

export const eventData = z.custom<EventData>().meta({
  type: 'object',
  description: 'The thing as it is after the change (`object`), and the changed fields as they were (`previous`).',
});

export const eventBody = z
  .object({
    id: z.string().meta({ description: 'The same in every list, stream and delivery.' }),
    sequence: int64.meta({ description: 'Rises by one with every event of the store.' }),
    type: eventType,
    timestamp: instant.meta({ description: 'When it happened.' }),
    data: eventData,
    actor: actorBody.nullable().meta({ description: 'The key behind it; null if it was the service.' }),
    requestId: z
      .string()
      .nullable()
      .meta({ description: 'The request that brought it about (`X-Request-Id`); null if there was none.' }),
  })
  .meta({
    id: 'Event',
    description: 'A change in the store.',
    examples: [
      {
        id: EXAMPLE.eventId,
        sequence: 1,
        type: 'pet.created',
        timestamp: EXAMPLE.time,
        data: { object: exampleOf(petBody) },
        actor: { keyId: EXAMPLE.keyId },
        requestId: EXAMPLE.requestId,
      },
    ],
  });

export const toEventBody = (event: StoredEvent): BodyOf<typeof eventBody> => ({
  id: event.id,
  sequence: jsonInteger(event.sequence),
  type: event.type,
  timestamp: new Date(event.occurredAt).toISOString(),
  data: readEventData(event),
  actor: event.actorKeyId === null ? null : { keyId: event.actorKeyId },
  requestId: event.requestId,
});
