import { SCOPES } from '../src/kernel/contract.ts';
import type { Key } from '../src/resources/keys/key.ts';
import type { KeyRepository } from '../src/resources/keys/keys.repository.ts';

export const WEBHOOK_KEY: Key = {
  id: 'key_hook',
  name: 'hooks',
  plan: 'free',
  limits: { perMinute: 60, perDay: 1000, pets: 10_000 },
  scopes: SCOPES,
  storeId: 1n,
  prefix: 'ps_live_',
  last4: 'Lq17',
  admin: false,
  createdAt: 0,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};

export const insertWebhookKey = ({ keys }: { keys: Pick<KeyRepository, 'insert'> }): Promise<void> =>
  keys.insert(WEBHOOK_KEY, new Uint8Array(32));
