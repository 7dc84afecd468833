import type { PageRequest } from '../../kernel/contract.ts';
import type { EventType } from '../../kernel/event.ts';
import type { AuditPosition } from './audit.ts';
import type { StoredEvent } from './event.ts';

type EventFilter = {
  type?: EventType | undefined;
  /** Includes changes of keys and webhooks. */
  withOperators: boolean;
};

/** The stores whose oldest event is older than `before`. */
export type OldEvents = { stores(before: number, most: number): Promise<bigint[]> };

export type EventReads = {
  /** The events of the store, by sequence, after a position. */
  list(filter: EventFilter, page: PageRequest<bigint>): Promise<StoredEvent[]>;
  /** The first sequence that is still stored, and the last that was assigned. */
  range(): Promise<{ first: bigint; last: bigint }>;
  /** The sequence of the event with this id, if it lies in the range. */
  sequenceOf(id: string, range: { above: bigint; upTo: bigint }): Promise<bigint | undefined>;
  /** The changes of keys and webhooks in all stores, by time, after a position. */
  listAudited(page: PageRequest<AuditPosition>): Promise<StoredEvent[]>;
  /** The changes of one animal, by sequence, after a position. */
  listOfPet(petId: bigint, page: PageRequest<bigint>): Promise<StoredEvent[]>;
};

/** The events of one store. */
export type EventRepository = EventReads & {
  /** Counts the stored events that have a sequence. */
  count(): Promise<number>;
  /** Removes up to `most` of the oldest events from before `before`, and returns how many. */
  forget(before: number, most: number): Promise<number>;
};
