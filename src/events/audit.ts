import { z } from 'zod';
import type { BodyOf } from '../kernel/contract.ts';
import { EXAMPLE, exampleOf } from '../kernel/example.ts';
import { instant, spellInstant } from '../kernel/instant.ts';
import { int64, parseInt64 } from '../kernel/int64.ts';
import { jsonInteger } from '../kernel/json.ts';
import { keyBody } from '../keys/key.body.ts';
import { actorBody } from './actor.ts';
import { eventData, readEventData, type StoredEvent } from './event.ts';

/** The place of an entry in the trail: what happened in one millisecond stands by store, and in each in its order. */
export type AuditPosition = Pick<StoredEvent, 'occurredAt' | 'storeId' | 'sequence'>;

export const auditPosition = z.string().transform((text, context): AuditPosition => {
  const [occurredAt, storeId, sequence, ...rest] = text.split('.').map(parseInt64);
  if (occurredAt !== undefined && storeId !== undefined && sequence !== undefined && rest.length === 0) {
    return { occurredAt: Number(occurredAt), storeId, sequence };
  }
  context.addIssue({ code: 'custom', message: 'is no place in the trail' });
  return z.NEVER;
});

export const spellAuditPosition = ({ occurredAt, storeId, sequence }: AuditPosition): string =>
  `${occurredAt}.${storeId}.${sequence}`;

export const auditEntryBody = z
  .object({
    id: z.string().meta({ description: 'The id of the event.' }),
    type: z.string().meta({ description: 'The type of the event.', examples: ['key.created'] }),
    timestamp: instant.meta({ description: 'When it happened.' }),
    storeId: int64.meta({ description: 'The store in which it happened.' }),
    data: eventData,
    actor: actorBody.nullable().meta({ description: 'The key behind the change; null if it was the service itself.' }),
    address: z
      .string()
      .nullable()
      .meta({ description: 'The address from which the change was made; null if it was the service itself.' }),
    requestId: z
      .string()
      .nullable()
      .meta({ description: 'The request that brought it about (`X-Request-Id`); null if there was none.' }),
  })
  .meta({
    id: 'AuditEntry',
    description: 'A change of a key or a webhook: who, what, when, from where.',
    examples: [
      {
        id: EXAMPLE.eventId,
        type: 'key.created',
        timestamp: EXAMPLE.time,
        storeId: 1,
        data: { object: exampleOf(keyBody) },
        actor: { keyId: EXAMPLE.keyId },
        address: '192.0.2.7',
        requestId: EXAMPLE.requestId,
      },
    ],
  });

export const toAuditEntryBody = (event: StoredEvent): BodyOf<typeof auditEntryBody> => ({
  id: event.id,
  type: event.type,
  timestamp: spellInstant(event.occurredAt),
  storeId: jsonInteger(event.storeId),
  data: readEventData(event),
  actor: event.actorKeyId === null ? null : { keyId: event.actorKeyId },
  address: event.address,
  requestId: event.requestId,
});

const hideUrl = <Fields extends object>(fields: Fields): Fields => ('url' in fields ? { ...fields, url: '…' } : fields);

/** The same without the addresses of webhooks: those of the operator are seen with `keys:write` alone. */
export const toMaskedEntryBody: typeof toAuditEntryBody = (event) => {
  const entry = toAuditEntryBody(event);
  const { object, previous } = entry.data;
  return { ...entry, data: { object: hideUrl(object), ...(previous && { previous: hideUrl(previous) }) } };
};
