import type { PetStatus } from '../../client/src/index.ts';

export const COUNTS = ['inventory', 'counts'] as const;

export type Counts = Record<PetStatus, number>;
