import type { PetStatus } from '../../client/src/index.ts';

export const STATUSES = ['available', 'pending', 'sold'] as const satisfies readonly PetStatus[];

/** Where the service lets an animal go from each status; a test holds it to the service's own rule. */
export const NEXT_STATUSES: Readonly<Record<PetStatus, readonly PetStatus[]>> = {
  available: ['pending', 'sold'],
  pending: ['available', 'sold'],
  sold: [],
};
