import { describe, expect, test } from 'bun:test';
import { sampleKey } from '../../../test/sample-key.ts';
import {
  refuseDisabled,
  refuseForbiddenUrl,
  refuseTooMany,
  refuseUnfitKey,
  refuseUnreadable,
} from './refuse-webhook.ts';
import type { Webhook } from './webhook.ts';

const refused = (code: string, words: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(words) });
const webhook: Webhook = {
  id: 'wh_one',
  url: 'https://shop.example/hooks',
  events: ['pet.created'],
  enabled: true,
  disabledReason: null,
  createdAt: 1,
  keyId: 'key_one',
  isOperators: false,
};

describe('a webhook is refused', () => {
  test('if its URL is private, unless the operator allows it', () => {
    expect(() => refuseForbiddenUrl('https://127.0.0.1/', true)).not.toThrow();
    expect(() => refuseForbiddenUrl('https://shop.example/', false)).not.toThrow();
    expect(() => refuseForbiddenUrl('https://127.0.0.1/', false)).toThrow(refused('invalid_request', 'url: must not'));
  });

  test('if the store has reached the limit of the plan', () => {
    expect(() => refuseTooMany(4, 'free')).not.toThrow();
    expect(() => refuseTooMany(99, 'enterprise')).not.toThrow();
    expect(() => refuseTooMany(5, 'free')).toThrow(refused('store_full', 'has 5 webhooks'));
    expect(() => refuseTooMany(100, 'enterprise')).toThrow(refused('store_full', '100 webhooks'));
  });

  test('if the key may not read one of its events', () => {
    expect(() => refuseUnreadable(['pet.created', 'pet.deleted'], ['pets:read'], 'It')).not.toThrow();
    expect(() => refuseUnreadable(['pet.created', 'order.placed'], ['pets:read'], 'It')).toThrow(
      refused('insufficient_scope', 'It lacks the `orders:read` scope, which order.placed events require'),
    );
  });

  test('if its key is unknown, of another store, revoked or expired', () => {
    const key = sampleKey([]);
    expect(refuseUnfitKey(key, 1n, 1000)).toBe(key);
    const unfit = (given: typeof key | undefined, words: string, storeId = 1n) =>
      expect(() => refuseUnfitKey(given, storeId, 1000)).toThrow(refused('invalid_request', `keyId: ${words}`));
    unfit(undefined, 'must be the id of a key in this store');
    unfit(key, 'must be the id of a key in this store', 2n);
    unfit({ ...key, revokedAt: 1 }, 'must be the id of a key that is not revoked');
    unfit({ ...key, expiresAt: 1000 }, 'must be the id of a key that is not revoked');
  });

  test('for a test or redelivery while it is disabled', () => {
    expect(() => refuseDisabled(webhook)).not.toThrow();
    expect(() => refuseDisabled({ ...webhook, enabled: false })).toThrow(
      refused('invalid_status_transition', 'enable it first'),
    );
  });
});
