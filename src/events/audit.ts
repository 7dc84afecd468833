import { z } from 'zod';
import type { BodyOf } from '../kernel/contract.ts';
import { int64, parseInt64 } from '../kernel/int64.ts';
import { jsonInteger } from '../kernel/json.ts';
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
    type: z.string().meta({ description: 'What happened.', examples: ['key.created'] }),
    timestamp: z.iso.datetime(),
    storeId: int64,
    data: eventData,
    actor: z
      .object({ keyId: z.string() })
      .nullable()
      .meta({ description: 'The key behind the change; null if it was the service itself.' }),
    address: z.string().nullable().meta({ description: 'From where the change was made.' }),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry', description: 'A change of a key or a webhook: who, what, when, from where.' });

export const toAuditEntryBody = (event: StoredEvent): BodyOf<typeof auditEntryBody> => ({
  id: event.id,
  type: event.type,
  timestamp: new Date(event.occurredAt).toISOString(),
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
