import { z } from 'zod';
import type { BodyOf } from '../../kernel/contract.ts';
import { EVENT_TYPES, type EventType } from '../../kernel/event.ts';
import { exampleOf, formatInstant, int64, jsonInteger, parsed, parseInt64 } from '../../kernel/schema.ts';
import { keyBody } from '../keys/key.body.ts';
import { eventData, exampleEvent } from './event.body.ts';
import { eventFields, OPERATORS_TYPE, readEventData, type StoredEvent } from './event.ts';

export type AuditPosition = Pick<StoredEvent, 'occurredAt' | 'storeId' | 'sequence'>;

export const auditPosition = parsed((text): AuditPosition | undefined => {
  const [occurredAt, storeId, sequence, ...rest] = text.split('.').map(parseInt64);
  const isWhole = occurredAt !== undefined && storeId !== undefined && sequence !== undefined && rest.length === 0;
  return isWhole ? { occurredAt: Number(occurredAt), storeId, sequence } : undefined;
}, 'must be a position in the audit trail');

export const formatAuditPosition = ({ occurredAt, storeId, sequence }: AuditPosition): string =>
  `${occurredAt}.${storeId}.${sequence}`;

type OperatorsType = Extract<EventType, `key.${string}` | `webhook.${string}`>;

const createAuditEntry = () => {
  const { keyChange, key, webhookChange, webhook } = eventData();
  return z.object({
    id: z.string().describe('The id of the event.'),
    type: z
      .enum(EVENT_TYPES.filter((type) => OPERATORS_TYPE.test(type)) as OperatorsType[])
      .meta({ description: 'Type of the event.', 'x-extensible': true }),
    timestamp: eventFields.timestamp,
    storeId: int64.describe('The store that the key or webhook belongs to.'),
    // Schemas with more fields come first. Otherwise, a parser that uses the first matching schema would drop fields.
    data: z.union([keyChange, key, webhookChange, webhook]).meta({
      id: 'AuditData',
      description: 'The `data` of the event, which describes the key or webhook.',
      examples: [exampleOf(key)],
    }),
    actor: eventFields.actor,
    address: z
      .string()
      .nullable()
      .describe('The network address that the change came from; null if the service itself made the change.'),
    requestId: eventFields.requestId,
  });
};

const { sequence: _, ...CREATED } = exampleEvent('key.created', { object: exampleOf(keyBody) });

export const auditEntryBody = z.lazy(createAuditEntry).meta({
  id: 'AuditEntry',
  description: 'A change to a key or webhook: who made it, when, and from which address.',
  examples: [{ ...CREATED, storeId: 1, address: '192.0.2.1' }],
});

type AuditEntryBody = BodyOf<typeof auditEntryBody>;

const hideUrl = (fields: Record<string, unknown> | undefined): void => {
  if (fields && 'url' in fields) fields.url = '…';
};

/** Callers without the scope `keys:write` must not see a webhook's full URL. */
export const toAuditEntryBody = (event: StoredEvent, showsUrls: boolean): AuditEntryBody => {
  const data = readEventData(event);
  if (!showsUrls) [data.object, data.previous].forEach(hideUrl);
  return {
    id: event.id,
    type: event.type as OperatorsType,
    timestamp: formatInstant(event.occurredAt),
    storeId: jsonInteger(event.storeId),
    data: data as unknown as AuditEntryBody['data'],
    actor: event.actorKeyId === null ? null : { keyId: event.actorKeyId },
    address: event.address,
    requestId: event.requestId,
  };
};
