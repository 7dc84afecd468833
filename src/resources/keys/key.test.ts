import { describe, expect, test } from 'bun:test';
import { sampleKey } from '../../../test/sample-key.ts';
import {
  ADMIN_LIMITS,
  isLive,
  limitsFault,
  limitsOf,
  PLAIN_SCOPES,
  refuseAdmin,
  refusePast,
  refuseUnchangeable,
} from './key.ts';

const refused = (code: string, words = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(words) });

describe('a key', () => {
  test('is live until the moment it expires', () => {
    expect(isLive({ revokedAt: null, expiresAt: null }, 1000)).toBeTrue();
    expect(isLive({ revokedAt: null, expiresAt: 1001 }, 1000)).toBeTrue();
    expect(isLive({ revokedAt: null, expiresAt: 1000 }, 1000)).toBeFalse();
  });

  test('is not live once it is revoked', () => {
    expect(isLive({ revokedAt: 5000, expiresAt: null }, 1000)).toBeFalse();
    expect(isLive({ revokedAt: 1, expiresAt: 9000 }, 1000)).toBeFalse();
  });

  test('cannot get an expiry in the past', () => {
    for (const fit of [undefined, null, 1001]) expect(() => refusePast(fit, 1000)).not.toThrow();
    expect(() => refusePast(1000, 1000)).toThrow(refused('invalid_request', 'expiresAt'));
  });

  test('cannot be changed if it is the admin key or revoked, but can be revoked again', () => {
    const plain = sampleKey([]);
    const [admin, revoked] = [
      { ...plain, admin: true },
      { ...plain, revokedAt: 1 },
    ];
    for (const refuse of [refuseAdmin, refuseUnchangeable]) {
      expect(() => refuse(plain)).not.toThrow();
      expect(() => refuse(admin)).toThrow(refused('admin_key'));
    }
    expect(() => refuseAdmin(revoked)).not.toThrow();
    expect(() => refuseUnchangeable(revoked)).toThrow(refused('invalid_status_transition', 'cannot be undone'));
  });
});

test('a plain key may read and write pets and orders, and the admin key has very high limits', () => {
  expect(PLAIN_SCOPES).toEqual(['pets:read', 'pets:write', 'orders:read', 'orders:write']);
  expect(ADMIN_LIMITS).toEqual({ perMinute: 100_000_000, perDay: 10_000_000_000, pets: null });
});

describe('the limits of a plan', () => {
  const custom = { perMinute: 5, perDay: 50, pets: null };

  test('are fixed, except on enterprise', () => {
    expect(limitsOf('free', custom)).toEqual({ perMinute: 60, perDay: 1000, pets: 10_000 });
    expect(limitsOf('pro', null)).toEqual({ perMinute: 300, perDay: 10_000, pets: 100_000 });
    expect(limitsOf('business', undefined)).toEqual({ perMinute: 1000, perDay: 100_000, pets: 1_000_000 });
    expect(limitsOf('enterprise', custom)).toEqual(custom);
    expect(() => limitsOf('enterprise', null)).toThrow('without limits');
  });

  test('on enterprise include a number of pets only if one is given', () => {
    expect(limitsOf('enterprise', { ...custom, pets: 7 }).pets).toBe(7);
    expect(limitsOf('enterprise', { perMinute: 5, perDay: 50 }).pets).toBeNull();
  });

  test('are required on enterprise, and not allowed on other plans', () => {
    expect(limitsFault('enterprise', custom)).toBeUndefined();
    expect(limitsFault('free', undefined)).toBeUndefined();
    expect(limitsFault('enterprise', undefined)).toContain('is required');
    expect(limitsFault('free', custom)).toContain('cannot be set');
  });
});
