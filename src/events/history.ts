import { z } from 'zod';
import type { BodyOf } from '../kernel/contract.ts';
import { int64 } from '../kernel/int64.ts';
import { jsonInteger } from '../kernel/json.ts';
import { readEventData, type StoredEvent } from './event.ts';

const FIELDS = ['name', 'categoryId', 'status'];

const value = z.custom<unknown>().meta({ type: ['string', 'integer', 'null'] });

export const historyEntryBody = z
  .object({
    sequence: int64,
    timestamp: z.iso.datetime(),
    type: z.string().meta({ description: 'What happened.', examples: ['pet.status_changed'] }),
    changes: z.array(z.object({ field: z.string(), from: value, to: value })),
    orderId: int64
      .nullable()
      .meta({ type: ['integer', 'null'], description: 'The order that brought it about, if any.' }),
    actor: z
      .object({ keyId: z.string() })
      .nullable()
      .meta({ description: 'The key behind it; null if it was the service.' }),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'HistoryEntry', description: 'One change of an animal.' });

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
  timestamp: new Date(event.occurredAt).toISOString(),
  type: event.type,
  changes: changesIn(event),
  orderId: event.orderId === null ? null : jsonInteger(event.orderId),
  actor: event.actorKeyId === null ? null : { keyId: event.actorKeyId },
  requestId: event.requestId,
});
