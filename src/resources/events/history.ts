import { z } from 'zod';
import type { BodyOf } from '../../kernel/contract.ts';
import { EVENT_TYPES, type EventType } from '../../kernel/event.ts';
import { EXAMPLE, formatInstant, int64, jsonInteger, objectOf } from '../../kernel/schema.ts';
import { petBody, petStatus } from '../pets/pet.ts';
import { eventFields, readEventData, type StoredEvent } from './event.ts';

/** Each of these fields also needs a line in `createPetFieldChange`. */
const VALUES = {
  name: petBody.shape.name,
  categoryId: petBody.shape.categoryId,
  status: petStatus,
} satisfies Record<Exclude<keyof typeof petBody.shape, 'id'>, z.ZodType>;

const fieldChange = <Field extends keyof typeof VALUES>(field: Field, name: string, examples: [unknown, unknown]) => {
  const [from, to] = examples;
  const value = VALUES[field].nullable() as z.ZodNullable<(typeof VALUES)[Field]>;
  return objectOf({ field, from, to }, name, `A change to the pet's ${field}.`, {
    field: z.literal(field).describe('The field that changed.'),
    from: value.describe('Previous value; null if this change added the pet.'),
    to: value.describe('New value; null if this change deleted the pet.'),
  });
};

const createPetFieldChange = () =>
  z
    .discriminatedUnion('field', [
      fieldChange('name', 'PetNameChange', ['Max', 'Rex']),
      fieldChange('categoryId', 'PetCategoryChange', [1, 2]),
      fieldChange('status', 'PetStatusChange', ['available', 'pending']),
    ])
    .meta({ id: 'PetFieldChange', description: 'A pet field that changed.', 'x-extensible': true });

type PetFieldChange = BodyOf<ReturnType<typeof createPetFieldChange>>;
type PetEventType = Extract<EventType, `pet.${string}`>;

export const PET_TYPES = EVENT_TYPES.filter((type) => type.startsWith('pet.')) as PetEventType[];

const createHistoryEntry = () =>
  z.object({
    sequence: int64.describe('Sequence number of the event.'),
    timestamp: eventFields.timestamp,
    type: z.enum(PET_TYPES).meta({ description: 'Type of the event.', 'x-extensible': true }),
    changes: z.array(createPetFieldChange()).describe('The changed fields.'),
    orderId: int64
      .nullable()
      .meta({ type: ['integer', 'null'], description: 'The order that caused the change; null if none.' }),
    actor: eventFields.actor,
    requestId: eventFields.requestId,
  });

export const historyEntryBody = z.lazy(createHistoryEntry).meta({
  id: 'HistoryEntry',
  description: 'One change to a pet.',
  examples: [
    {
      sequence: 3,
      timestamp: EXAMPLE.time,
      type: 'pet.status_changed',
      changes: [{ field: 'status', from: 'available', to: 'pending' }],
      orderId: EXAMPLE.orderId,
      actor: { keyId: EXAMPLE.keyId },
      requestId: EXAMPLE.requestId,
    },
  ],
});

const changesIn = (event: StoredEvent) => {
  const { object, previous } = readEventData(event);
  const was = event.type === 'pet.created' ? {} : event.type === 'pet.deleted' ? object : (previous ?? {});
  const is = event.type === 'pet.deleted' ? {} : object;
  const fields = Object.keys(VALUES).filter((field) => !previous || field in previous);
  return fields.map((field) => ({ field, from: was[field] ?? null, to: is[field] ?? null })) as PetFieldChange[];
};

export const toHistoryEntryBody = (event: StoredEvent): BodyOf<typeof historyEntryBody> => ({
  sequence: jsonInteger(event.sequence),
  timestamp: formatInstant(event.occurredAt),
  type: event.type as PetEventType,
  changes: changesIn(event),
  orderId: event.orderId === null ? null : jsonInteger(event.orderId),
  actor: event.actorKeyId === null ? null : { keyId: event.actorKeyId },
  requestId: event.requestId,
});
