import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import * as commandLine from '../cli/files/csv.ts';
import { isAdmin } from '../console/keys/admin.ts';
import { PLAIN_SCOPES, PLANS } from '../console/keys/scopes.ts';
import { csvField, spreadsheetField, unescapeFormula } from '../console/pets/transfer/csv.ts';
import * as keys from '../src/resources/keys/key.ts';
import * as plans from '../src/resources/keys/plan.ts';

describe('the console repeats', () => {
  test('the plans and default scopes of the service', () => {
    const words = Object.entries(plans.PLANS).map(([name, limits]) => {
      if (limits === 'custom') return [name, 'set for each key'];
      const [perMinute, perDay, pets] = [limits.perMinute, limits.perDay, limits.pets].map((n) =>
        n.toLocaleString('en'),
      );
      return [name, `${perMinute} requests per minute, ${perDay} per day, ${pets} pets`];
    });
    expect(Object.entries<string>(PLANS)).toEqual(words as [string, string][]);
    expect(PLAIN_SCOPES).toEqual(keys.PLAIN_SCOPES);
    expect(isAdmin({ name: 'admin', limits: keys.ADMIN_LIMITS })).toBe(true);
    expect(isAdmin({ name: 'admin', limits: plans.PLANS.pro })).toBe(false);
  });

  test('the CSV fields of the command line, for programs and for spreadsheets', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('=1+1', '+1', '-1', '@A1', '\t=', '＝1', "'=1", "''", 'Rex', ' x ')),
        (text) => {
          expect(csvField(text)).toBe(commandLine.csvField(text));
          expect(spreadsheetField(text)).toBe(commandLine.spreadsheetField(text));
          expect(unescapeFormula(text)).toBe(commandLine.unescapeFormula(text));
        },
      ),
    );
  });
});
