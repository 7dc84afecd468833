import { describe, expect, test } from 'bun:test';
import type { Delivery, Usage, Webhook } from '../../client/src/index.ts';
import { readHost } from './host.ts';
import {
  byUrgency,
  deliveryNeeds,
  deprecationNeeds,
  failedBackupNeeds,
  hostNeeds,
  keyNeeds,
  orderNeeds,
  webhookNeeds,
} from './needs.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const inMinutes = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const inDays = (days: number) => inMinutes(days * 24 * 60);

describe('the list of items that need attention', () => {
  test('has each order whose hold expires within 15 minutes, and one line for the other waiting orders', () => {
    const order = (id: number, minutes: number) => ({
      id,
      petId: id,
      status: 'placed' as const,
      placedAt: inMinutes(-50),
      updatedAt: inMinutes(-50),
      expiresAt: inMinutes(minutes),
    });
    const pets = new Map([['5', 'Luna']]);
    const shown = (...orders: ReturnType<typeof order>[]) =>
      orderNeeds(orders, pets, NOW, 3).map(({ what, detail, href }) => [what, detail, href]);
    expect(shown(order(5, 14), order(6, 16))).toEqual([
      ['The hold on Luna is about to expire', 'Approve order 5 to keep the pet on hold.', '/orders?order=5'],
      ['1 more order is waiting for approval', 'It is for pet 6.', '/orders'],
    ]);
    expect(shown(order(5, 20), order(6, 21))).toEqual([
      ['2 orders are waiting for approval', 'The oldest is for Luna.', '/orders'],
    ]);
    expect(shown(order(5, 20), order(6, 21), order(7, 22))[0]?.[0]).toBe('3+ orders are waiting for approval');
  });

  test('has one line for all approved orders', () => {
    const [placedAt, updatedAt] = [inMinutes(-9), inMinutes(-8)];
    const order = (id: number) => ({
      id,
      petId: id,
      status: 'approved' as const,
      placedAt,
      updatedAt,
      expiresAt: null,
    });
    const shown = (...ids: number[]) => deliveryNeeds(ids.map(order), 3).map(({ what }) => what);
    expect([shown(), shown(5), shown(5, 6), shown(5, 6, 7)]).toEqual([
      [],
      ['1 approved order is ready to deliver'],
      ['2 approved orders are ready to deliver'],
      ['3+ approved orders are ready to deliver'],
    ]);
  });

  test('has webhooks that are disabled, or whose latest attempts failed', () => {
    const webhook = (id: string, change: Partial<Webhook> = {}) =>
      ({ id, url: 'https://shop.example/hook', enabled: true, disabledReason: null, ...change }) as Webhook;
    const tried = (...states: Delivery['state'][]) =>
      states.map((state, at) => ({ state, attempt: 1, attemptedAt: inMinutes(at) }) as Delivery);
    const needs = webhookNeeds([
      { webhook: webhook('wh_new'), latest: [] },
      { webhook: webhook('wh_well'), latest: tried('pending', 'delivered') },
      { webhook: webhook('wh_ill'), latest: tried('delivered', 'pending', 'failed', 'pending') },
      { webhook: webhook('wh_retrying'), latest: tried('delivered', 'pending') },
      { webhook: webhook('wh_off', { enabled: false, disabledReason: 'gone' }), latest: [] },
    ]);
    expect(needs.map(({ id }) => id)).toEqual(['wh_ill', 'wh_off']);
    expect(needs[0]?.what).toBe('Deliveries to shop.example/hook are failing');
    expect(needs[1]?.detail).toContain('returned 410');
  });

  test('has keys that are banned, or have used 90% of a window', () => {
    const key = (id: string, bannedUntil: string | null = null) => ({ id, name: id, bannedUntil, revokedAt: null });
    const usage = (keyId: string, used: number) => {
      const window = { limit: 1000, used, remaining: 1000 - used, resetAt: inMinutes(1) };
      const pets = { limit: null, used: 0, remaining: null };
      return { keyId, minute: { ...window, used: 0 }, day: window, pets, bannedUntil: null, hours: [] } as Usage;
    };
    const revoked = { ...key('revoked', inMinutes(2)), revokedAt: inMinutes(-1) };
    const keys = [revoked, key('idle'), key('near'), key('banned', inMinutes(2)), key('was banned', inMinutes(-2))];
    const needs = keyNeeds(keys, [usage('idle', 899), usage('near', 900)], NOW);
    expect(needs.map(({ id, tone }) => [id, tone])).toEqual([
      ['near', 'warn'],
      ['banned', 'bad'],
    ]);
  });

  test('has deprecated operations that are still called, 180 days before their removal', () => {
    const deprecation = (operation: string, callers: number, rehearsedDate: string | null = null, days = 100) => ({
      operation,
      deprecatedSince: inDays(-1),
      sunset: inDays(days),
      rehearsedDate,
      lastCalledAt: null,
      keys: Array.from({ length: callers }, () => ({ keyId: 'key_1', calls: 1, lastCalledAt: inDays(0) })),
    });
    const names = new Map([['key_1', 'Website']]);
    const all = [deprecation('one', 0), deprecation('two', 2), deprecation('three', 1, inDays(100))];
    const needsIn = (days: number) => deprecationNeeds([deprecation('four', 1, null, days)], names, NOW).length;
    expect([needsIn(180), needsIn(181)]).toEqual([1, 0]);
    const needs = deprecationNeeds(all, names, NOW);
    expect(needs.map(({ what, tone }) => [what, tone])).toEqual([
      ['Website and Website use an operation that will be removed in 100 days', 'plain'],
      ['Website uses an operation that has been removed', 'bad'],
    ]);
    expect(needs[0]?.detail).toStartWith('Replace two before ');
  });

  test('has a failed backup, with its reason, until the next one succeeds', () => {
    const failed = { state: 'failed', error: 'not enough space' } as const;
    expect(failedBackupNeeds([failed])).toMatchObject([
      { what: 'The last backup failed', detail: 'not enough space', href: '/health', tone: 'bad' },
    ]);
    expect(failedBackupNeeds([{ state: 'done', error: null }, failed])).toEqual([]);
    expect(failedBackupNeeds([])).toEqual([]);
  });

  test('has a disk without room for a backup, and a missing or old backup of a store in production', () => {
    const metrics = (free: number, backup?: number) =>
      [
        '# TYPE petstore_disk_free_bytes gauge',
        `petstore_disk_free_bytes ${free}`,
        'petstore_database_file_bytes{file="main"} 900000000',
        'petstore_database_wal_bytes 1000000',
        ...(backup === undefined ? [] : [`petstore_backup_age_seconds ${backup}`]),
      ].join('\n');
    const ids = (text: string, isProduction = true) => hostNeeds(readHost(text), isProduction).map(({ what }) => what);
    expect(ids(metrics(1_001_000_000, 93_600))).toEqual([]);
    expect(ids(metrics(1_000_999_999, 93_600))).toEqual(['Disk space is running out']);
    expect(ids(metrics(2e9, 180_000))).toEqual(['The last backup is 2 days old']);
    expect(ids(metrics(2e9))).toEqual(['This store has no backup yet']);
    expect(ids(metrics(2e9), false)).toEqual([]);
    expect(ids('process_cpu_seconds_total 1')).toEqual([]);
  });

  test('begins with the most urgent item', () => {
    const need = (tone: 'bad' | 'warn' | 'plain') => ({ id: tone, tone }) as Parameters<typeof byUrgency>[0][number];
    expect(byUrgency([need('plain'), need('warn'), need('bad')]).map(({ id }) => id)).toEqual(['bad', 'warn', 'plain']);
  });
});
