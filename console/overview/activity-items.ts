import type { EventType, Int64 } from '../../client/src/index.ts';
import type { LiveEvent } from '../data/live.ts';

/**
 * A group of consecutive events with the same type and actor. `event` is the newest of them. `isCut` is true if the
 * group may continue in events that are not loaded.
 */
export type ActivityItem = { event: LiveEvent; count: number; isCut?: boolean };

const GROUPED: readonly EventType[] = [
  'pet.created',
  'pet.updated',
  'pet.status_changed',
  'pet.deleted',
  'category.created',
];

const petOf = ({ type, data: { object } }: LiveEvent): Int64 | undefined =>
  'petId' in object ? object.petId : type.startsWith('pet.') ? (object.id as Int64) : undefined;

const newStatus = ({ type, data: { object } }: LiveEvent): string | undefined =>
  type === 'pet.status_changed' && 'status' in object ? object.status : undefined;

/** Returns the pet's new category, if nothing else about the pet has changed. */
export const movedTo = (event: LiveEvent): Int64 | undefined => {
  if (event.type !== 'pet.updated') return undefined;
  const { object, previous } = event.data;
  return previous?.categoryId === undefined || previous.name !== undefined ? undefined : object.categoryId;
};

/** A change to an order that also changes its pet's status creates two events that say the same thing. */
const isEcho = (event: LiveEvent, others: readonly LiveEvent[]): boolean =>
  event.type === 'pet.status_changed' &&
  others.some(
    (other) =>
      other.type.startsWith('order.') &&
      petOf(other) === petOf(event) &&
      Math.abs(Number(other.sequence) - Number(event.sequence)) === 1,
  );

/**
 * Groups similar events, so that a whole import, for example, is shown as one line. Events are grouped only if they have
 * the same new status and the same new category, so that one line can describe them: "sold 2 pets". `most` is the number
 * of events that were requested.
 */
export const groupActivity = (events: readonly LiveEvent[], most: number): ActivityItem[] => {
  const items: ActivityItem[] = [];
  for (const event of events) {
    if (isEcho(event, events)) continue;
    const last = items.at(-1);
    const isSame =
      last !== undefined &&
      GROUPED.includes(event.type) &&
      last.event.type === event.type &&
      newStatus(last.event) === newStatus(event) &&
      movedTo(last.event) === movedTo(event) &&
      last.event.actor?.keyId === event.actor?.keyId;
    if (isSame) last.count += 1;
    else items.push({ event, count: 1 });
  }
  const oldest = items.at(-1);
  if (oldest && events.length >= most) oldest.isCut = true;
  return items;
};
