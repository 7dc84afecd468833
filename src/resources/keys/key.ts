import type { Scope } from '../../kernel/contract.ts';
import { Failure, faultyField } from '../../kernel/failure.ts';
import { type Limits, PLANS, type Plan } from './plan.ts';

export type Key = {
  id: string;
  name: string;
  plan: Plan;
  limits: Limits;
  scopes: readonly Scope[];
  storeId: bigint;
  prefix: string;
  last4: string;
  admin: boolean;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
};

export const PLAIN_SCOPES: readonly Scope[] = ['pets:read', 'pets:write', 'orders:read', 'orders:write'];

export const ADMIN_LIMITS: Limits = { perMinute: 100_000_000, perDay: 10_000_000_000, pets: null };

export type GivenLimits = Omit<Limits, 'pets'> & { pets?: number | null | undefined };

export const limitsOf = (plan: Plan, custom: GivenLimits | null | undefined): Limits => {
  const fixed = PLANS[plan];
  if (fixed !== 'custom') return fixed;
  if (!custom) throw new Error(`plan ${plan} without limits`);
  return { ...custom, pets: custom.pets ?? null };
};

export const limitsFault = (plan: Plan, limits: GivenLimits | undefined): string | undefined => {
  const custom = PLANS[plan] === 'custom';
  if (custom && limits === undefined) return `is required on the ${plan} plan`;
  if (!custom && limits !== undefined) return `cannot be set on the ${plan} plan; only enterprise has custom limits`;
  return undefined;
};

export const isLive = (key: Pick<Key, 'revokedAt' | 'expiresAt'>, now: number): boolean =>
  key.revokedAt === null && (key.expiresAt === null || now < key.expiresAt);

export const refusePast = (expiresAt: number | null | undefined, now: number): void => {
  if (expiresAt != null && expiresAt <= now) throw faultyField('expiresAt', 'must be in the future');
};

export const refuseAdmin = (key: Key): void => {
  if (key.admin)
    throw new Failure(
      'admin_key',
      'The admin key cannot be changed over HTTP. Set PETSTORE_ADMIN_KEY and restart the service.',
    );
};

export const refuseUnchangeable = (key: Key): void => {
  refuseAdmin(key);
  if (key.revokedAt !== null) {
    throw new Failure(
      'invalid_status_transition',
      `Key ${key.id} has been revoked, and this cannot be undone. Create a new key (POST /keys).`,
    );
  }
};
