import { describe, expect, test } from 'bun:test';
import { isAdmin } from '../console/keys/admin.ts';
import { PLAIN_SCOPES, PLANS } from '../console/keys/scopes.ts';
import * as keys from '../src/resources/keys/key.ts';
import * as plans from '../src/resources/keys/plan.ts';

describe('what the console says by itself', () => {
  test('of plans and of plain keys is what the service holds', () => {
    const words = Object.entries(plans.PLANS).map(([name, limits]) => {
      if (limits === 'custom') return [name, 'set on the key'];
      const [perMinute, perDay, pets] = [limits.perMinute, limits.perDay, limits.pets].map((n) =>
        n.toLocaleString('en'),
      );
      return [name, `${perMinute} requests a minute, ${perDay} a day, ${pets} pets`];
    });
    expect(Object.entries<string>(PLANS)).toEqual(words as [string, string][]);
    expect(PLAIN_SCOPES).toEqual(keys.PLAIN_SCOPES);
    expect(isAdmin({ name: 'admin', limits: keys.ADMIN_LIMITS })).toBe(true);
    expect(isAdmin({ name: 'admin', limits: plans.PLANS.pro })).toBe(false);
  });
});
