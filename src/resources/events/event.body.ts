import { z } from 'zod';
import type { BodyOf } from '../../kernel/contract.ts';
import type { EventType } from '../../kernel/event.ts';
import { once } from '../../kernel/runtime.ts';
import { EXAMPLE, exampleOf, extend, formatInstant, int64, jsonInteger, objectOf } from '../../kernel/schema.ts';
import { categoryBody } from '../categories/category.ts';
import { keyBody } from '../keys/key.body.ts';
import { orderBody } from '../orders/order.ts';
import { petBody } from '../pets/pet.ts';
import { eventFields, readEventData, type StoredEvent } from './event.ts';
import { webhookBody } from './webhook.ts';

type Fields = Record<string, unknown>;

const objectData = <Body extends z.ZodObject>(name: string, body: Body) =>
  objectOf({ object: exampleOf(body) }, `${name}EventData`, 'The object after the change, or before its deletion.', {
    object: body,
  });

const changeData = <Body extends z.ZodObject>(name: string, body: Body, previously: Fields) => {
  const previous = body.partial().meta({
    id: `Previous${name}`,
    description: 'The changed fields, with their previous values.',
    examples: [previously],
  });
  return z.object({ object: body, previous }).meta({
    id: `${name}ChangeEventData`,
    description: 'The object after the change, and the previous values of the changed fields.',
    examples: [{ object: exampleOf(body), previous: previously }],
  });
};

const updatedWebhook = () => {
  const description =
    'The key whose scopes determine which events the webhook receives; present only if the key changed.';
  const keyId = z.string().optional().describe(description);
  const words = { id: 'UpdatedWebhook', description: 'The webhook. If its key changed, `keyId` is the new key.' };
  return extend(webhookBody, { keyId }, { ...words, examples: [exampleOf(webhookBody)] });
};

export const eventData = once(() => ({
  pet: objectData('Pet', petBody),
  petChange: changeData('Pet', petBody, { name: 'Max' }),
  order: objectData('Order', orderBody),
  orderChange: changeData('Order', orderBody, { status: 'placed' }),
  category: objectData('Category', categoryBody),
  categoryChange: changeData('Category', categoryBody, { name: null }),
  key: objectData('Key', keyBody),
  keyChange: changeData('Key', keyBody, { plan: 'free' }),
  webhook: objectData('Webhook', webhookBody),
  webhookChange: changeData('Webhook', updatedWebhook(), { enabled: true, disabledReason: null }),
}));

type Example = { object?: Fields; previous?: Fields; actor?: null; requestId?: null };

export const exampleEvent = (type: EventType, data: Fields, { object, previous, ...rest }: Example = {}) => ({
  id: EXAMPLE.eventId,
  sequence: 1,
  type,
  timestamp: EXAMPLE.time,
  data: { ...data, object: { ...(data.object as Fields), ...object }, ...(previous && { previous }) },
  actor: { keyId: EXAMPLE.keyId },
  requestId: EXAMPLE.requestId,
  ...rest,
});

const shown = <Field extends z.ZodType>(field: Field, example: unknown): Field => field.meta({ examples: [example] });

const envelope = once(() =>
  z
    .object({
      id: shown(
        z.string().describe('Identifier of the event, the same in every list, stream and delivery.'),
        EXAMPLE.eventId,
      ),
      sequence: shown(
        int64.describe('Sequence number of the event in its store. Later events have higher numbers.'),
        1,
      ),
      type: z.string().describe('Type of the event.'),
      timestamp: shown(eventFields.timestamp, EXAMPLE.time),
      actor: eventFields.actor,
      requestId: shown(eventFields.requestId, EXAMPLE.requestId),
    })
    .meta({ id: 'EventEnvelope', description: 'Fields that every event has.' }),
);

type Described = [description: string, data: z.ZodObject, differing?: Example];

const BY_SERVICE = { actor: null, requestId: null };

const moved = (status: string) => ({
  object: { status, expiresAt: null },
  previous: { status: status === 'delivered' ? 'approved' : 'placed' },
});

const describeTypes = (data: ReturnType<typeof eventData>): Record<EventType, Described> => ({
  'pet.created': ['A pet was added.', data.pet],
  'pet.updated': ["A pet's name or category changed.", data.petChange],
  'pet.status_changed': [
    "A pet's status changed.",
    data.petChange,
    { object: { status: 'pending' }, previous: { status: 'available' } },
  ],
  'pet.deleted': ['A pet was deleted.', data.pet],
  'order.placed': ['An order was placed, and its pet is pending.', data.order],
  'order.approved': ['An order was approved.', data.orderChange, moved('approved')],
  'order.delivered': ['An order was delivered, and its pet is sold.', data.orderChange, moved('delivered')],
  'order.cancelled': ['An order was cancelled, and its pet is available again.', data.orderChange, moved('cancelled')],
  'order.expired': [
    'An order expired because nobody approved it in time, and its pet is available again.',
    data.orderChange,
    { ...moved('expired'), ...BY_SERVICE },
  ],
  'category.created': ['A category was created.', data.category],
  'category.updated': ['A category was renamed.', data.categoryChange],
  'category.deleted': [
    'A category without pets was deleted, or a category was merged into another one.',
    data.category,
  ],
  'key.created': ['A key was created.', data.key],
  'key.updated': ['A key was changed.', data.keyChange],
  'key.rotated': ['A key was rotated.', data.keyChange, { previous: { last4: 'x7Qb' } }],
  'key.revoked': [
    'A key was revoked.',
    data.keyChange,
    { object: { revokedAt: EXAMPLE.time }, previous: { revokedAt: null } },
  ],
  'key.banned': [
    'A key kept sending requests after 429 responses and is temporarily banned.',
    data.key,
    { object: { bannedUntil: EXAMPLE.later }, ...BY_SERVICE },
  ],
  'key.unbanned': ['The ban on a key was lifted.', data.keyChange, { previous: { bannedUntil: EXAMPLE.later } }],
  'webhook.created': ['A webhook was created.', data.webhook],
  'webhook.updated': [
    'A webhook, its secret or its key was changed.',
    data.webhookChange,
    { previous: { enabled: false, disabledReason: 'switched_off' } },
  ],
  'webhook.disabled': [
    'The service disabled a webhook.',
    data.webhookChange,
    { object: { enabled: false, disabledReason: 'failing' }, ...BY_SERVICE },
  ],
  'webhook.deleted': ['A webhook was deleted.', data.webhook],
  'webhook.test': ['A test event, sent to one webhook only.', data.webhook],
});

const nameOf = (type: EventType): string =>
  `${type.replaceAll(/(?:^|[._])(.)/g, (_, first: string) => first.toUpperCase())}Event`;

const toSchema = (type: EventType, [description, data, differing = {}]: Described) => {
  const example = exampleEvent(type, exampleOf(data), differing);
  const isOwn = (differing.object ?? differing.previous) !== undefined && differing.actor !== null;
  return extend(
    envelope(),
    { type: z.literal(type).describe('Type of the event.'), data: isOwn ? shown(data, example.data) : data },
    { id: nameOf(type), description, examples: [example] },
  );
};

type EventSchema = ReturnType<typeof toSchema>;

export const eventBodies = once(() => {
  const described = Object.entries(describeTypes(eventData())) as [EventType, Described][];
  return Object.fromEntries(described.map(([type, words]) => [type, toSchema(type, words)])) as Record<
    EventType,
    EventSchema
  >;
});

export const eventBody = z
  .lazy(() => z.discriminatedUnion('type', Object.values(eventBodies()) as [EventSchema]))
  .meta({
    id: 'Event',
    description: 'A change in the store. `type` determines the fields of `data`. New types may be added.',
    'x-extensible': true,
    examples: [exampleEvent('pet.created', { object: exampleOf(petBody) })],
  });

export const toEventBody = (event: StoredEvent) =>
  ({
    id: event.id,
    sequence: jsonInteger(event.sequence),
    type: event.type,
    timestamp: formatInstant(event.occurredAt),
    data: readEventData(event),
    actor: event.actorKeyId === null ? null : { keyId: event.actorKeyId },
    requestId: event.requestId,
  }) satisfies BodyOf<typeof eventBody>;
