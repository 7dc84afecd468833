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

/** Default scopes. */
export const PLAIN_SCOPES: readonly Scope[] = ['pets:read', 'pets:write', 'orders:read', 'orders:write'];

/** High enough not to limit the operator. */
export const ADMIN_LIMITS: Limits = { perMinute: 100_000_000, perDay: 10_000_000_000, pets: null };

/** Limits as a caller sends them: without `pets`, the key has no pet limit. */
export type GivenLimits = Omit<Limits, 'pets'> & { pets?: number | null | undefined };

export const limitsOf = (plan: Plan, custom: GivenLimits | null | undefined): Limits => {
  const fixed = PLANS[plan];
  if (fixed !== 'custom') return fixed;
  if (!custom) throw new Error(`plan ${plan} without limits`);
  return { ...custom, pets: custom.pets ?? null };
};

/** Says why these limits do not fit the plan. */
export const limitsFault = (plan: Plan, limits: GivenLimits | undefined): string | undefined => {
  const custom = PLANS[plan] === 'custom';
  if (custom && limits === undefined) return `is required on the plan ${plan}`;
  if (!custom && limits !== undefined) return `cannot be set on the plan ${plan}, only on enterprise`;
  return undefined;
};

export type PetLimits = {
  /** The limit of the key. */
  petLimit?: number | null | undefined;
  /** The limit of a sandbox; undefined in production. */
  mostPets?: number | undefined;
};

/** Maximum number of pets in a store for a key that adds one; null: no limit. */
export const petLimitOf = ({ petLimit, mostPets }: PetLimits): number | null => {
  const limit = Math.min(petLimit ?? Number.POSITIVE_INFINITY, mostPets ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(limit) ? limit : null;
};

export const isLive = (key: Pick<Key, 'revokedAt' | 'expiresAt'>, now: number): boolean =>
  key.revokedAt === null && (key.expiresAt === null || now < key.expiresAt);

export const refusePast = (expiresAt: number | null | undefined, now: number): void => {
  if (expiresAt != null && expiresAt <= now) throw faultyField('expiresAt', 'must be in the future');
};

/** The configuration owns the admin key: no request may end or weaken it. */
export const refuseAdmin = (key: Key): void => {
  if (key.admin) throw new Failure('admin_key', 'The admin key is set with PETSTORE_ADMIN_KEY and cannot be changed.');
};

/** Revocation is final. */
export const refuseUnchangeable = (key: Key): void => {
  refuseAdmin(key);
  if (key.revokedAt !== null) {
    throw new Failure('invalid_status_transition', `The key ${key.id} is revoked, and that is final.`);
  }
};
