import type { PageRequest } from '../../kernel/contract.ts';
import type { EventType } from '../../kernel/event.ts';
import type { AuditPosition } from './audit.ts';
import type { StoredEvent } from './event.ts';

type EventFilter = {
  type?: EventType | undefined;
  /** Includes key and webhook changes. */
  withOperators: boolean;
};

/** Lists stores whose oldest event is older than `before`. */
export type OldEvents = { stores(before: number, most: number): Promise<bigint[]> };

export type EventReads = {
  /** Lists the store's events by sequence, after a position. */
  list(filter: EventFilter, page: PageRequest<bigint>): Promise<StoredEvent[]>;
  find(sequence: bigint): Promise<StoredEvent | undefined>;
  /** The first sequence that is still stored, and the last one assigned. */
  range(): Promise<{ first: bigint; last: bigint }>;
  /** Finds the sequence of an event id within the range. */
  sequenceOf(id: string, range: { above: bigint; upTo: bigint }): Promise<bigint | undefined>;
  /** Lists key and webhook changes in all stores by time, after a position. */
  listAudited(page: PageRequest<AuditPosition>): Promise<StoredEvent[]>;
  /** Lists the changes to one pet by sequence, after a position. */
  listOfPet(petId: bigint, page: PageRequest<bigint>): Promise<StoredEvent[]>;
};

/** The events of one store. */
export type EventRepository = EventReads & {
  /** Counts stored events, including those without a sequence yet. */
  count(): Promise<number>;
  /** Removes up to `most` of the oldest events from before `before`; returns how many. */
  forget(before: number, most: number): Promise<number>;
};
