import type { Scope } from '../../client/src/index.ts';

/** Includes `events:read`, because the console's pages need it to show changes live. */
export const COLLEAGUE_SCOPES: readonly Scope[] = [
  'pets:read',
  'pets:write',
  'orders:read',
  'orders:write',
  'categories:write',
  'events:read',
];
