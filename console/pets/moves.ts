import type { PetStatus } from '../../client/src/index.ts';

export const STATUSES = ['available', 'pending', 'sold'] as const satisfies readonly PetStatus[];

export const NEXT_STATUSES: Readonly<Record<PetStatus, readonly PetStatus[]>> = {
  available: ['pending', 'sold'],
  pending: ['available', 'sold'],
  sold: [],
};
