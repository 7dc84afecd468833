import { z } from 'zod';
import { EVENT_TYPES, type EventType } from '../kernel/event.ts';
import { parseJsonForOutput } from '../kernel/json.ts';

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
  .meta({ id: 'EventType', description: 'What happened.', 'x-extensible': true });

const actor = z
  .object({ keyId: z.string().meta({ description: 'The id of the key.', examples: ['key_9bR2mT6xLk1NvQ4cS8dFhJ3w'] }) })
  .meta({
    id: 'Actor',
    description: 'The key behind a change.',
    examples: [{ keyId: 'key_9bR2mT6xLk1NvQ4cS8dFhJ3w' }],
  });

/** What is told of every event, wherever it is shown. */
export const eventFields = {
  timestamp: z.iso.datetime().meta({ description: 'When it happened.' }),
  actor: actor.nullable().meta({ description: 'The key behind it; null if it was the service.' }),
  requestId: z.string().nullable().meta({ description: 'The request behind it; null if it was the service.' }),
};

type EventFields = Record<string, unknown>;

/** What was stored of an event, as it is to be written once more. */
export const readEventData = ({ data }: StoredEvent) =>
  parseJsonForOutput(data) as { object: EventFields; previous?: EventFields };
