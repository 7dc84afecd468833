import { describe, expect, test } from 'bun:test';
import { onEveryEngine, openTestDatabase } from '../../test/database.ts';
import { queryPlans } from '../../test/query-plan.ts';
import { sqlLimits } from './limits.repository.sql.ts';
import { limitRepositorySuite } from './limits.repository.suite.ts';

onEveryEngine(limitRepositorySuite);

describe('on SQLite', () => {
  test('ended windows are found by index, without a table scan', async () => {
    const opened = openTestDatabase();
    const [plan] = await queryPlans(opened.path, (sql) => sqlLimits(sql).forget(0));
    await opened.close();
    expect(plan).toContain('SEARCH windows USING COVERING INDEX windows_until (until<?)');
    expect(plan).not.toMatch(/SCAN windows|USE TEMP B-TREE/);
  });
});
