import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { onEveryEngine, openTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { pagesBehind, queryPlans } from '../../../test/query-plan.ts';
import { sqlDueOrders, sqlOrders } from './orders.repository.sql.ts';
import { describeOrderRepository } from './orders.repository.suite.ts';

onEveryEngine(describeOrderRepository);

describe('every list of orders', () => {
  let opened: TestDatabase;
  beforeAll(() => {
    opened = openTestDatabase();
  });
  afterAll(() => opened.close());

  const filters = [{}, { status: 'placed' } as const].flatMap((byStatus) =>
    [{}, { petId: 7n }].map((byPet) => ({ ...byStatus, ...byPet })),
  );
  test.each(filters.map((filter) => [Object.keys(filter).join(' and ') || 'no filter', filter] as const))(
    'is served by an index without sorting: %s',
    async (_, filter) => {
      const plans = await queryPlans(opened.path, async (sql) => {
        for (const page of pagesBehind({ id: 5n })) await sqlOrders(sql, 1n).list(filter, page);
      });
      expect(plans).toHaveLength(4);
      const columns = ['store_id', ...('petId' in filter ? ['pet_id'] : []), ...('status' in filter ? ['status'] : [])];
      const served = columns.map((column) => `${column}=\\?`).join(' AND ');
      for (const plan of plans) {
        expect(plan).toMatch(
          new RegExp(`^SEARCH orders USING (INDEX \\w+|PRIMARY KEY) \\(${served}( AND id[<>]\\?)?\\)$`),
        );
      }
    },
  );

  test('is served by an index without sorting: orders by time, with and without a status', async () => {
    const plans = await queryPlans(opened.path, async (sql) => {
      for (const status of [undefined, 'placed'] as const)
        for (const page of pagesBehind({ placedAt: 5, id: 5n }))
          await sqlOrders(sql, 1n).list({ status, placedFrom: 1, placedTo: 9 }, page);
    });
    const parts = new Set(plans.flatMap((plan) => plan.split('; ')));
    for (const part of ['MERGE (UNION ALL)', 'LEFT', 'RIGHT']) parts.delete(part);
    for (const part of parts) {
      expect(part).toMatch(
        /^SEARCH orders USING INDEX orders_placed \(store_id=\? AND status=\? AND .*placed_at[<>]\?/,
      );
    }
    expect(plans).toHaveLength(8);
  });

  test('is served by an index without sorting: orders with an expired hold', async () => {
    const plans = await queryPlans(opened.path, (sql) => sqlDueOrders(sql).list(Date.now(), 500));
    expect(plans).toEqual([
      expect.stringMatching(/^SEARCH orders USING (COVERING )?INDEX orders_due \(expires_at<\?\)$/),
    ]);
  });
});
