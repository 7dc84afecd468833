import type { Key } from '../src/resources/keys/key.ts';

export const sampleKey = (scopes: Key['scopes']): Key => ({
  id: 'key_one',
  name: 'Till',
  plan: 'free',
  limits: { perMinute: 60, perDay: 1000, pets: 10_000 },
  scopes,
  storeId: 1n,
  prefix: 'ps_live_',
  last4: 'abcd',
  admin: false,
  createdAt: 1,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
});
