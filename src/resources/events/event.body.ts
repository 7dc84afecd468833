import { z } from 'zod';
import type { BodyOf } from '../../kernel/contract.ts';
import type { EventType } from '../../kernel/event.ts';
import { int64 } from '../../kernel/int64.ts';
import { jsonInteger } from '../../kernel/json.ts';
import { once } from '../../kernel/memo.ts';
import { EXAMPLE, exampleOf, extend, spellInstant } from '../../kernel/schema.ts';
import { petBody } from '../pets/pet.ts';
import { eventData, examplesOf, type Fields } from './event.data.ts';
import { eventFields, readEventData, type StoredEvent } from './event.ts';

/** As `PetCreatedEvent`. */
const nameOf = (type: EventType): string =>
  `${type.replaceAll(/(?:^|[._])(.)/g, (_, first: string) => first.toUpperCase())}Event`;

/** Where the example of an event differs from that of its data, and who was behind it. */
type Example = { object?: Fields; previous?: Fields; actor?: null; requestId?: null };

export const exampleEvent = (
  type: EventType,
  data: Fields | undefined,
  { object, previous, ...rest }: Example = {},
) => {
  if (!data) return undefined;
  const shown = { ...data, object: { ...(data.object as Fields), ...object }, ...(previous && { previous }) };
  return {
    id: EXAMPLE.eventId,
    sequence: 1,
    type,
    timestamp: EXAMPLE.time,
    data: shown,
    actor: { keyId: EXAMPLE.keyId },
    requestId: EXAMPLE.requestId,
    ...rest,
  };
};

const shown = <Field extends z.ZodType>(field: Field, example: unknown): Field => field.meta({ examples: [example] });

/** What every event has. Its fields have their examples one by one, so that those of a type are made of them. */
const envelope = once(() =>
  z
    .object({
      id: shown(z.string().meta({ description: 'The same in every list, stream and delivery.' }), EXAMPLE.eventId),
      sequence: shown(int64.meta({ description: 'Rises with every event of the store.' }), 1),
      type: z.string().meta({ description: 'What happened.' }),
      timestamp: shown(eventFields.timestamp, EXAMPLE.time),
      actor: eventFields.actor,
      requestId: shown(eventFields.requestId, EXAMPLE.requestId),
    })
    .meta({ id: 'EventEnvelope', description: 'What every event has.' }),
);

const event = <const Type extends EventType, Data extends z.ZodObject>(
  type: Type,
  description: string,
  data: Data,
  differing: Example = {},
) => {
  const example = exampleEvent(type, exampleOf(data), differing);
  // Where the rest is as in any event, the example of its data is all that the document has to tell.
  const isOwn = (differing.object ?? differing.previous) !== undefined && differing.actor !== null;
  return extend(
    envelope(),
    {
      type: z.literal(type).meta({ description: 'What happened.' }),
      data: example && isOwn ? shown(data, example.data) : data,
    },
    { id: nameOf(type), description, ...examplesOf(example) },
  );
};

const BY_SERVICE = { actor: null, requestId: null };

const moved = (status: string) => ({
  object: { status, expiresAt: null },
  previous: { status: status === 'delivered' ? 'approved' : 'placed' },
});

/** What every type of event looks like. */
export const eventBodies = once(() => {
  const data = eventData();
  return {
    'pet.created': event('pet.created', 'An animal was added.', data.petTold),
    'pet.updated': event('pet.updated', 'The name or the category of an animal changed.', data.petChanged),
    'pet.status_changed': event('pet.status_changed', 'The status of an animal changed.', data.petChanged, {
      object: { status: 'pending' },
      previous: { status: 'available' },
    }),
    'pet.deleted': event('pet.deleted', 'An animal was removed.', data.petTold),
    'order.placed': event('order.placed', 'An order was placed, and holds its animal.', data.orderTold),
    'order.approved': event('order.approved', 'An order was approved.', data.orderChanged, moved('approved')),
    'order.delivered': event(
      'order.delivered',
      'An order was delivered, and its animal is sold.',
      data.orderChanged,
      moved('delivered'),
    ),
    'order.cancelled': event(
      'order.cancelled',
      'An order was cancelled, and its animal is free.',
      data.orderChanged,
      moved('cancelled'),
    ),
    'order.expired': event(
      'order.expired',
      'Nobody approved an order in time, and its animal is free.',
      data.orderChanged,
      {
        ...moved('expired'),
        ...BY_SERVICE,
      },
    ),
    'category.created': event('category.created', 'A category was added.', data.categoryTold),
    'category.updated': event('category.updated', 'A category was renamed.', data.categoryChanged),
    'key.created': event('key.created', 'A key was issued.', data.keyTold),
    'key.updated': event('key.updated', 'A key was changed.', data.keyChanged),
    'key.rotated': event('key.rotated', 'A key was given another secret.', data.keyChanged, {
      previous: { last4: 'x7Qb' },
    }),
    'key.revoked': event('key.revoked', 'A key was revoked.', data.keyChanged, {
      object: { revokedAt: EXAMPLE.time },
      previous: { revokedAt: null },
    }),
    'key.banned': event('key.banned', 'A key kept calling after 429, and is banned for a while.', data.keyTold, {
      object: { bannedUntil: EXAMPLE.later },
      ...BY_SERVICE,
    }),
    'key.unbanned': event('key.unbanned', 'The ban of a key was lifted.', data.keyChanged, {
      previous: { bannedUntil: EXAMPLE.later },
    }),
    'webhook.created': event('webhook.created', 'A webhook was added.', data.webhookTold),
    'webhook.updated': event('webhook.updated', 'A webhook, its secret or its key was changed.', data.webhookChanged, {
      previous: { enabled: false, disabledReason: 'switched_off' },
    }),
    'webhook.disabled': event('webhook.disabled', 'The service has switched a webhook off.', data.webhookChanged, {
      object: { enabled: false, disabledReason: 'failing' },
      ...BY_SERVICE,
    }),
    'webhook.deleted': event('webhook.deleted', 'A webhook was removed.', data.webhookTold),
    'webhook.test': event('webhook.test', 'Somebody tries a webhook, which alone is told of it.', data.webhookTold),
  } satisfies Record<EventType, z.ZodObject>;
});

type EventSchema = ReturnType<typeof eventBodies>[EventType];

export const eventBody = z
  .lazy(() => z.discriminatedUnion('type', Object.values(eventBodies()) as [EventSchema]))
  .meta({
    id: 'Event',
    description: 'A change in the store. `type` says which, and what `data` holds. More types may be added.',
    'x-extensible': true,
    ...examplesOf(exampleEvent('pet.created', exampleOf(petBody) && { object: exampleOf(petBody) })),
  });

type EventBody = BodyOf<typeof eventBody>;

/** What is stored of an event is what its type calls for: `test/typed-events.test.ts` sees one of each. */
export const toEventBody = (event: StoredEvent) =>
  ({
    id: event.id,
    sequence: jsonInteger(event.sequence),
    type: event.type,
    timestamp: spellInstant(event.occurredAt),
    data: readEventData(event),
    actor: event.actorKeyId === null ? null : { keyId: event.actorKeyId },
    requestId: event.requestId,
  }) as unknown as EventBody;
