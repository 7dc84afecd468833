import { describe, expect, test } from 'bun:test';
import { onEveryEngine, openTestDatabase } from '../../../test/database.ts';
import { queryPlans } from '../../../test/query-plan.ts';
import type { Sql, SqlValue } from '../../storage/sql.ts';
import { sqlUsage } from './usage.repository.sql.ts';
import { usageRepositorySuite } from './usage.repository.suite.ts';
import type { KeyUsage } from './usage.ts';

onEveryEngine(usageRepositorySuite);

test('concurrent transactions write the rows in the same order, so that they cannot deadlock', async () => {
  const writtenBy = async (...batch: KeyUsage[]) => {
    const written: (readonly SqlValue[])[] = [];
    const run = async (_: string, values: readonly SqlValue[]) => void written.push(values);
    await sqlUsage({ run } as Partial<Sql> as Sql).add(batch);
    return written;
  };
  const hours = [1, 2].flatMap((hour) => [200, 201, 429].map((status) => ({ hour, status, count: 1 })));
  const deprecated = ['one', 'two'].map((operation) => ({ operation, keyId: '', calls: 1, lastCalledAt: 1 }));
  const one = { keyId: 'key_one', lastUsedAt: 1, hours, deprecated };
  const other = { ...one, keyId: 'key_two' };
  const turn = (usage: KeyUsage) => ({ ...usage, hours: hours.toReversed(), deprecated: deprecated.toReversed() });
  const written = await writtenBy(one, other);
  expect(written).toHaveLength(2 * (6 + 2 + 1));
  expect(await writtenBy(turn(other), turn(one))).toEqual(written);
});

describe('on SQLite', () => {
  test('the hours of a key, the expired ones and the newest are found by index, without a table scan', async () => {
    const opened = openTestDatabase();
    const plans = await queryPlans(opened.path, async (sql) => {
      await sqlUsage(sql).hoursOf('key_one', 0);
      await sqlUsage(sql).forget(0, 1000);
      await sqlUsage(sql).newestHour(0);
    });
    await opened.close();
    expect(plans[0]).toBe('SEARCH usage USING PRIMARY KEY (key_id=? AND hour>?)');
    expect(plans[1]).toContain('SEARCH usage USING COVERING INDEX usage_hour (hour<?)');
    expect(plans[2]).toBe('SEARCH usage USING COVERING INDEX usage_hour (hour<?)');
    expect(plans).toHaveLength(3);
    for (const plan of plans) expect(plan).not.toMatch(/SCAN usage|USE TEMP B-TREE/);
  });
});
