import { describe, expect, test } from 'bun:test';
import type { Delivery, Usage, Webhook } from '../../client/src/index.ts';
import { deprecationNeeds, keyNeeds, orderNeeds, webhookNeeds } from './needs.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const inMinutes = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const inDays = (days: number) => inMinutes(days * 24 * 60);

describe('the list of items that need attention', () => {
  test('has orders whose hold expires within 15 minutes', () => {
    const order = (id: number, minutes: number) => ({
      id,
      petId: 1,
      status: 'placed' as const,
      placedAt: inMinutes(-50),
      updatedAt: inMinutes(-50),
      expiresAt: inMinutes(minutes),
    });
    expect(orderNeeds([order(5, 14), order(6, 16)], NOW)).toMatchObject([{ href: '/orders?order=5' }]);
  });

  test('has webhooks that are disabled, or whose latest deliveries all failed', () => {
    const webhook = (id: string, change: Partial<Webhook> = {}) =>
      ({ id, url: 'https://shop.example/hook', enabled: true, disabledReason: null, ...change }) as Webhook;
    const tried = (...states: Delivery['state'][]) => states.map((state) => ({ state, attempt: 1 }) as Delivery);
    const needs = webhookNeeds([
      { webhook: webhook('wh_new'), latest: [] },
      { webhook: webhook('wh_well'), latest: tried('pending', 'delivered') },
      { webhook: webhook('wh_ill'), latest: tried('pending', 'failed') },
      { webhook: webhook('wh_off', { enabled: false, disabledReason: 'gone' }), latest: [] },
    ]);
    expect(needs.map(({ id }) => id)).toEqual(['wh_ill', 'wh_off']);
    expect(needs[1]?.what).toContain('returned 410');
  });

  test('has keys that are banned, or have used 90% of a window', () => {
    const key = (id: string, bannedUntil: string | null = null) => ({ id, name: id, bannedUntil });
    const usage = (keyId: string, used: number) => {
      const window = { limit: 1000, used, remaining: 1000 - used, resetAt: inMinutes(1) };
      const pets = { limit: null, used: 0, remaining: null };
      return { keyId, minute: { ...window, used: 0 }, day: window, pets, bannedUntil: null, hours: [] } as Usage;
    };
    const keys = [key('idle'), key('near'), key('banned', inMinutes(2)), key('was banned', inMinutes(-2))];
    const needs = keyNeeds(keys, [usage('idle', 899), usage('near', 900)], NOW);
    expect(needs.map(({ id, tone }) => [id, tone])).toEqual([
      ['near', 'warn'],
      ['banned', 'bad'],
    ]);
  });

  test('has deprecated operations that are still called, as of the rehearsed date if there is one', () => {
    const deprecation = (operation: string, callers: number, rehearsedDate: string | null = null) => ({
      operation,
      deprecatedSince: inDays(-1),
      sunset: inDays(100),
      rehearsedDate,
      lastCalledAt: null,
      keys: Array.from({ length: callers }, () => ({ keyId: 'key_1', calls: 1, lastCalledAt: inDays(0) })),
    });
    const needs = deprecationNeeds(
      [deprecation('one', 0), deprecation('two', 2), deprecation('three', 1, inDays(100))],
      NOW,
    );
    expect(needs.map(({ what, tone }) => [what, tone])).toEqual([
      ['two will be removed in 100 days; 2 keys still call it', 'plain'],
      ['three has been removed; 1 key still calls it', 'bad'],
    ]);
  });
});
