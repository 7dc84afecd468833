import type { PetStatus } from '../../client/src/index.ts';

export const STATUSES = ['available', 'pending', 'sold'] as const satisfies readonly PetStatus[];

/** The allowed changes of status. A test compares them with the service's rules. */
export const NEXT_STATUSES: Readonly<Record<PetStatus, readonly PetStatus[]>> = {
  available: ['pending', 'sold'],
  pending: ['available', 'sold'],
  sold: [],
};
