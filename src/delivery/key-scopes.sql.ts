import type { Scope } from '../kernel/contract.ts';
import { numberOrNull } from '../kernel/row.ts';
import { isLive } from '../resources/keys/key.ts';
import type { KeyScopes } from '../resources/webhooks/event-visibility.ts';

/** Never cached: outdated scopes must not decide which events a webhook receives. */
export const KEY_COLUMNS = 'k.scopes AS key_scopes, k.revoked_at AS key_revoked_at, k.expires_at AS key_expires_at';

export type KeyColumns = { key_scopes: string | null; key_revoked_at: bigint | null; key_expires_at: bigint | null };

export const keyScopes = (row: KeyColumns, now: number): KeyScopes => {
  const key = { revokedAt: numberOrNull(row.key_revoked_at), expiresAt: numberOrNull(row.key_expires_at) };
  return row.key_scopes !== null && isLive(key, now) ? (row.key_scopes.split(' ') as Scope[]) : undefined;
};
