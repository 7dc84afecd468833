import { z } from 'zod';
import type { BodyOf } from '../kernel/contract.ts';
import { EXAMPLE } from '../kernel/example.ts';
import { instant, spellInstant } from '../kernel/instant.ts';
import { int64 } from '../kernel/int64.ts';
import { jsonInteger } from '../kernel/json.ts';
import { actorBody } from './actor.ts';
import { readEventData, type StoredEvent } from './event.ts';

const FIELDS = ['name', 'categoryId', 'status'];

const value = z.custom<unknown>().meta({
  id: 'FieldValue',
  description: 'A text, an int64 or null.',
  anyOf: [{ type: 'string' }, { type: 'integer', format: 'int64' }, { type: 'null' }],
  examples: ['available'],
});

const CHANGE = { field: 'status', from: 'available', to: 'pending' };

const fieldChange = z
  .object({
    field: z.string().meta({ description: 'The field that changed: `name`, `categoryId` or `status`.' }),
    from: value.meta({ description: 'What it was; null if the animal was added.' }),
    to: value.meta({ description: 'What it became; null if the animal was removed.', examples: ['pending'] }),
  })
  .meta({ id: 'FieldChange', description: 'The change of one field.', examples: [CHANGE] });

export const historyEntryBody = z
  .object({
    sequence: int64.meta({ description: 'The place of the event among those of the store.' }),
    timestamp: instant.meta({ description: 'When it happened.' }),
    type: z.string().meta({ description: 'The type of the event.', examples: ['pet.status_changed'] }),
    changes: z.array(fieldChange).meta({ description: 'What changed, field by field.' }),
    orderId: int64
      .nullable()
      .meta({ type: ['integer', 'null'], description: 'The order that brought it about, if any.' }),
    actor: actorBody.nullable().meta({ description: 'The key behind it; null if it was the service.' }),
    requestId: z
      .string()
      .nullable()
      .meta({ description: 'The request that brought it about (`X-Request-Id`); null if there was none.' }),
  })
  .meta({
    id: 'HistoryEntry',
    description: 'One change of an animal.',
    examples: [
      {
        sequence: 3,
        timestamp: EXAMPLE.time,
        type: 'pet.status_changed',
        changes: [CHANGE],
        orderId: EXAMPLE.orderId,
        actor: { keyId: EXAMPLE.keyId },
        requestId: EXAMPLE.requestId,
      },
    ],
  });

/** From nothing when it was added, to nothing when it was removed, and else from what changed. */
const changesIn = (event: StoredEvent) => {
  const { object, previous } = readEventData(event);
  const was = event.type === 'pet.created' ? {} : event.type === 'pet.deleted' ? object : (previous ?? {});
  const is = event.type === 'pet.deleted' ? {} : object;
  const fields = previous ? FIELDS.filter((field) => field in previous) : FIELDS;
  return fields.map((field) => ({ field, from: was[field] ?? null, to: is[field] ?? null }));
};

export const toHistoryEntryBody = (event: StoredEvent): BodyOf<typeof historyEntryBody> => ({
  sequence: jsonInteger(event.sequence),
  timestamp: spellInstant(event.occurredAt),
  type: event.type,
  changes: changesIn(event),
  orderId: event.orderId === null ? null : jsonInteger(event.orderId),
  actor: event.actorKeyId === null ? null : { keyId: event.actorKeyId },
  requestId: event.requestId,
});
