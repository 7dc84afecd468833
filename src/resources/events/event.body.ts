import { z } from 'zod';
import type { BodyOf } from '../../kernel/contract.ts';
import { EVENT_TYPES, type EventType } from '../../kernel/event.ts';
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
  const example = { object: exampleOf(body), previous: previously };
  const words = 'The object after the change, and the previous values of the changed fields.';
  return objectOf(example, `${name}ChangeEventData`, words, { object: body, previous });
};

const categoryDeletionData = () => {
  const description = 'The category that received the pets; present only if the category was merged into another one.';
  const words = 'The category before its deletion, and the category into which it was merged.';
  return objectOf({ object: exampleOf(categoryBody) }, 'CategoryDeletionEventData', words, {
    object: categoryBody,
    mergedInto: categoryBody.optional().meta({ description }),
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
  categoryDeletion: categoryDeletionData(),
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

const BY_SERVICE = { actor: null, requestId: null };

const moved = (status: string) => ({
  object: { status, expiresAt: null },
  previous: { status: status === 'delivered' ? 'approved' : 'placed' },
});

/** The fields in which an event's example differs from the example of its `data`. */
const DIFFERING: Partial<Record<EventType, Example>> = {
  'pet.status_changed': { object: { status: 'pending' }, previous: { status: 'available' } },
  'order.approved': moved('approved'),
  'order.delivered': moved('delivered'),
  'order.cancelled': moved('cancelled'),
  'order.expired': { ...moved('expired'), ...BY_SERVICE },
  'key.rotated': { previous: { last4: 'x7Qb' } },
  'key.revoked': { object: { revokedAt: EXAMPLE.time }, previous: { revokedAt: null } },
  'key.banned': { object: { bannedUntil: EXAMPLE.later }, ...BY_SERVICE },
  'key.unbanned': { previous: { bannedUntil: EXAMPLE.later } },
  'webhook.updated': { previous: { enabled: false, disabledReason: 'switched_off' } },
  'webhook.disabled': { object: { enabled: false, disabledReason: 'failing' }, ...BY_SERVICE },
};

const EVENTS: Record<EventType, [data: keyof ReturnType<typeof eventData>, description: string]> = {
  'pet.created': ['pet', 'A pet was added.'],
  'pet.updated': ['petChange', "A pet's name or category changed."],
  'pet.status_changed': ['petChange', "A pet's status changed."],
  'pet.deleted': ['pet', 'A pet was deleted.'],
  'order.placed': ['order', 'An order was placed, and its pet is pending.'],
  'order.approved': ['orderChange', 'An order was approved.'],
  'order.delivered': ['orderChange', 'An order was delivered, and its pet is sold.'],
  'order.cancelled': ['orderChange', 'An order was cancelled, and its pet is available again.'],
  'order.expired': [
    'orderChange',
    'An order expired because nobody approved it in time, and its pet is available again.',
  ],
  'category.created': ['category', 'A category was created.'],
  'category.updated': ['categoryChange', 'A category was renamed.'],
  'category.deleted': [
    'categoryDeletion',
    'A category without pets was deleted, or a category was merged into another one.',
  ],
  'key.created': ['key', 'A key was created.'],
  'key.updated': ['keyChange', 'A key was changed.'],
  'key.rotated': ['keyChange', 'A key was rotated.'],
  'key.revoked': ['keyChange', 'A key was revoked.'],
  'key.banned': ['key', 'A key kept sending requests after 429 responses and is temporarily banned.'],
  'key.unbanned': ['keyChange', 'The ban on a key was lifted.'],
  'webhook.created': ['webhook', 'A webhook was created.'],
  'webhook.updated': ['webhookChange', 'A webhook, its secret or its key was changed.'],
  'webhook.disabled': ['webhookChange', 'The service disabled a webhook.'],
  'webhook.deleted': ['webhook', 'A webhook was deleted.'],
  'webhook.test': ['webhook', 'A test event, sent to one webhook only.'],
};

const nameOf = (type: EventType): string =>
  `${type.replaceAll(/(?:^|[._])(.)/g, (_, first: string) => first.toUpperCase())}Event`;

const toSchema = (type: EventType) => {
  const [name, description] = EVENTS[type];
  const data: z.ZodObject = eventData()[name];
  const differing = DIFFERING[type] ?? {};
  const example = exampleEvent(type, exampleOf(data), differing);
  const isOwn = (differing.object ?? differing.previous) !== undefined && differing.actor !== null;
  return extend(
    envelope(),
    { type: z.literal(type).describe('Type of the event.'), data: isOwn ? shown(data, example.data) : data },
    { id: nameOf(type), description, examples: [example] },
  );
};

type EventSchema = ReturnType<typeof toSchema>;

export const eventBodies = once(
  () => Object.fromEntries(EVENT_TYPES.map((type) => [type, toSchema(type)])) as Record<EventType, EventSchema>,
);

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
