import { describe, expect, test } from 'bun:test';
import { onEveryEngine, openTestDatabase } from '../../../test/database.ts';
import { queryPlans } from '../../../test/query-plan.ts';
import { sqlUsage } from './usage.repository.sql.ts';
import { usageRepositorySuite } from './usage.repository.suite.ts';

onEveryEngine(usageRepositorySuite);

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
