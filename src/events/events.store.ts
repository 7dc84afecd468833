import type { PageRequest } from '../kernel/contract.ts';
import type { StoredEvent } from './audit.ts';

export type EventReads = {
  /** The changes of keys and webhooks in all stores, by time and then by id, strictly behind a position. */
  listAudited(page: PageRequest<{ occurredAt: number; id: string }>): Promise<StoredEvent[]>;
};
