import { describe, expect, test } from 'bun:test';
import { isAdmin, PLANS, PRESETS } from '../console/keys/key-rules.ts';
import { capitalized } from '../console/kit/text.ts';
import { texts } from '../console/webhooks/texts.ts';
import { urlFault, urlPolicyFault } from '../src/delivery/address.ts';
import * as keys from '../src/resources/keys/key.ts';
import * as plans from '../src/resources/keys/plan.ts';

describe('the console repeats', () => {
  test('the plans and default scopes of the service', () => {
    const words = Object.entries(plans.PLANS).map(([name, limits]) => {
      if (limits === 'custom') return [name, 'set individually for each key'];
      const [perMinute, perDay, pets] = [limits.perMinute, limits.perDay, limits.pets].map((n) =>
        n.toLocaleString('en'),
      );
      return [name, `${perMinute} requests per minute, ${perDay} per day, ${pets} pets`];
    });
    expect(Object.entries<string>(PLANS)).toEqual(words as [string, string][]);
    expect(PRESETS[1]?.scopes).toEqual(keys.PLAIN_SCOPES);
    expect(isAdmin({ name: 'admin', limits: keys.ADMIN_LIMITS })).toBe(true);
    expect(isAdmin({ name: 'admin', limits: plans.PLANS.pro })).toBe(false);
  });

  test("the service's words about a webhook's address, which it replaces", () => {
    const faults = [
      urlFault('x'),
      urlFault('ftp://a.example'),
      urlPolicyFault('https://127.0.0.1', false),
      urlPolicyFault('https://intranet', false),
    ];
    expect(Object.keys(texts.addressFaults)).toEqual(faults.map((fault) => capitalized(fault ?? '')));
  });
});
