import type { PageRequest } from '../../kernel/contract.ts';
import type { EventType } from '../../kernel/event.ts';
import type { AuditPosition } from './audit.ts';
import type { CountRange, EventCount } from './counts.ts';
import type { StoredEvent } from './event.ts';

export type EventFilter = {
  type?: EventType | undefined;
  petId?: bigint | undefined;
  orderId?: bigint | undefined;
  keyId?: string | undefined;
  withOperators: boolean;
};

export type OldEvents = { stores(before: number, most: number): Promise<bigint[]> };

export type EventReads = {
  list(filter: EventFilter, page: PageRequest<bigint>): Promise<StoredEvent[]>;
  find(sequence: bigint, filter: Pick<EventFilter, 'withOperators'>): Promise<StoredEvent | undefined>;
  range(): Promise<{ first: bigint; last: bigint }>;
  counts(range: CountRange): Promise<EventCount[]>;
  sequenceOf(id: string, range: { above: bigint; upTo: bigint }): Promise<bigint | undefined>;
  listAudited(page: PageRequest<AuditPosition>): Promise<StoredEvent[]>;
  listOfPet(petId: bigint, page: PageRequest<bigint>): Promise<StoredEvent[]>;
};

export type EventRepository = EventReads & {
  count(): Promise<number>;
  forget(before: number, most: number): Promise<number>;
};
