import { z } from 'zod';
import { EVENT_TYPES, type EventType } from '../../kernel/event.ts';
import { parseJsonForOutput } from '../../kernel/json.ts';
import { EXAMPLE, instant } from '../../kernel/schema.ts';

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
  /** Trace context of the request, forwarded with deliveries. */
  traceparent: string | null;
};

/** Key and webhook changes are visible only to callers allowed to make them. */
export const isOperators = (type: string): boolean => /^(key|webhook)\./.test(type);

export const eventType = z
  .enum(EVENT_TYPES, { error: 'must be a type of event' })
  .meta({ id: 'EventType', description: 'What happened.', 'x-extensible': true });

const actor = z
  .object({ keyId: z.string().meta({ description: 'The identifier of the key.' }) })
  .meta({ id: 'Actor', description: 'The key behind a change.', examples: [{ keyId: EXAMPLE.keyId }] });

/** Fields of every event in every listing. */
export const eventFields = {
  timestamp: instant.meta({ description: 'When it happened.' }),
  actor: actor.nullable().meta({ description: 'The key behind it; null if it was the service.' }),
  requestId: z
    .string()
    .nullable()
    .meta({ description: 'The request behind it (`X-Request-Id`); null if it was the service.' }),
};

/** Parses the stored data, keeping numbers exactly as written. */
export const readEventData = ({ data }: StoredEvent) =>
  parseJsonForOutput(data) as { object: Record<string, unknown>; previous?: Record<string, unknown> };
