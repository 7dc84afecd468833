import type { PageRequest } from '../../kernel/contract.ts';
import type { EventType } from '../../kernel/event.ts';
import type { AuditPosition } from './audit.ts';
import type { StoredEvent } from './event.ts';

/** Which events of a store a caller may see and asked for. */
type EventFilter = {
  type?: EventType | undefined;
  /** Changes of keys and webhooks are for those who may make them. */
  withOperators: boolean;
};

/** The stores whose oldest event is older than `before`. */
export type OldEvents = { stores(before: number, most: number): Promise<bigint[]> };

export type EventReads = {
  /** The events of the store, by sequence, strictly behind a position. */
  list(filter: EventFilter, page: PageRequest<bigint>): Promise<StoredEvent[]>;
  /** The first sequence that is still kept, and the last that was given. */
  range(): Promise<{ first: bigint; last: bigint }>;
  /** The sequence of the event with this id, if it lies above one position and not above another. */
  sequenceOf(id: string, range: { above: bigint; upTo: bigint }): Promise<bigint | undefined>;
  /** The changes of keys and webhooks in all stores, by time, strictly behind a position. */
  listAudited(page: PageRequest<AuditPosition>): Promise<StoredEvent[]>;
  /** The changes of one animal, by sequence, strictly behind a position. */
  listOfPet(petId: bigint, page: PageRequest<bigint>): Promise<StoredEvent[]>;
};

/** The events of one store. */
export type EventRepository = EventReads & {
  /** How many events the store keeps, not counting events without a sequence yet. */
  count(): Promise<number>;
  /** Removes up to `most` of the oldest events from before `before`, and says how many. */
  forget(before: number, most: number): Promise<number>;
};
