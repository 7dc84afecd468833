import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import * as commandLine from '../cli/files/csv.ts';
import { isAdmin } from '../console/keys/admin.ts';
import { PLAIN_SCOPES, PLANS } from '../console/keys/scopes.ts';
import { csvField, spreadsheetField, unescapeFormula } from '../console/pets/transfer/csv.ts';
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

  test('of an animal in CSV, for a program and for a spreadsheet, is what the command line writes', () => {
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
