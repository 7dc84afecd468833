import { z } from 'zod';
import { EVENT_TYPES, type EventType } from '../../kernel/event.ts';
import { parseJsonForOutput } from '../../kernel/json.ts';
import { instant } from '../../kernel/schema.ts';
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
  /** The trace of the request behind it, to be passed on with its deliveries. */
  traceparent: string | null;
};

/** Changes of keys and webhooks are told to those who may make them. */
export const isOperators = (type: string): boolean => /^(key|webhook)\./.test(type);

export const eventType = z
  .enum(EVENT_TYPES, { error: 'must be a type of event' })
  .meta({ id: 'EventType', description: 'What happened.', 'x-extensible': true });

/** What is told of every event, wherever it is shown. */
export const eventFields = {
  timestamp: instant.meta({ description: 'When it happened.' }),
  actor: actorBody.nullable().meta({ description: 'The key behind it; null if it was the service.' }),
  requestId: z
    .string()
    .nullable()
    .meta({ description: 'The request behind it (`X-Request-Id`); null if it was the service.' }),
};

type EventFields = Record<string, unknown>;

/** What was stored of an event, as it is to be written once more. */
export const readEventData = ({ data }: StoredEvent) =>
  parseJsonForOutput(data) as { object: EventFields; previous?: EventFields };
