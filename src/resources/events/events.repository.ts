import type { PageRequest } from '../../kernel/contract.ts';
import type { EventType } from '../../kernel/event.ts';
import type { AuditPosition } from './audit.ts';
import type { StoredEvent } from './event.ts';

type EventFilter = {
  type?: EventType | undefined;
  /** Whether to include changes to keys and webhooks. */
  withOperators: boolean;
};

/** Lists stores that still have events from before `before`, sorted by id, after the store `after`. */
export type OldEvents = { stores(before: number, after: bigint, most: number): Promise<bigint[]> };

export type EventReads = {
  list(filter: EventFilter, page: PageRequest<bigint>): Promise<StoredEvent[]>;
  find(sequence: bigint): Promise<StoredEvent | undefined>;
  /** Returns the first sequence that is still stored, and the last sequence assigned. */
  range(): Promise<{ first: bigint; last: bigint }>;
  /** Finds the sequence of an event by its id, if the sequence lies within the range. */
  sequenceOf(id: string, range: { above: bigint; upTo: bigint }): Promise<bigint | undefined>;
  /** Lists changes to keys and webhooks in all stores, sorted by time, after a position. */
  listAudited(page: PageRequest<AuditPosition>): Promise<StoredEvent[]>;
  listOfPet(petId: bigint, page: PageRequest<bigint>): Promise<StoredEvent[]>;
};

export type EventRepository = EventReads & {
  /** Counts all stored events, including events that have no sequence yet. */
  count(): Promise<number>;
  /** Removes up to `most` events that occurred before `before`, oldest first. Returns the number removed. */
  forget(before: number, most: number): Promise<number>;
};
