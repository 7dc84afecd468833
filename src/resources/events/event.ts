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
  traceparent: string | null;
};

/** Only operators may see these events. The prefixes also match event types that newer versions add. */
export const OPERATORS_TYPE = /^(key|webhook)\./;

export const eventType = z
  .enum(EVENT_TYPES, { error: 'must be an event type, such as pet.created' })
  .meta({ id: 'EventType', description: 'Type of an event.', 'x-extensible': true });

const actor = z
  .object({ keyId: z.string().describe('The identifier of the key.') })
  .meta({ id: 'Actor', description: 'The key that made a change.', examples: [{ keyId: EXAMPLE.keyId }] });

export const eventFields = {
  timestamp: instant.describe('Time of the change.'),
  actor: actor.nullable().describe('The key that made the change; null if the service made it.'),
  requestId: z
    .string()
    .nullable()
    .describe('The `X-Request-Id` of the request that made the change; null if the service made it.'),
};

export const readEventData = ({ data }: StoredEvent) =>
  parseJsonForOutput(data) as { object: Record<string, unknown>; previous?: Record<string, unknown> };
