import type { Scope } from '../../client/src/index.ts';

/** `events:read` lets pages show changes live. */
export const COLLEAGUE_SCOPES: readonly Scope[] = [
  'pets:read',
  'pets:write',
  'orders:read',
  'orders:write',
  'categories:write',
  'events:read',
];
