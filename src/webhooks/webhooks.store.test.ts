import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../test/database.ts';
import type { Sql } from '../database/sql.ts';
import { connectSqlite } from '../database/sqlite.connection.ts';
import { deliveryQueueOnSql } from './queue.store.sql.ts';
import { webhooksOnSql } from './webhooks.store.sql.ts';
import { webhookStoreSuite } from './webhooks.store.suite.ts';

describe('on SQLite', () => webhookStoreSuite(openTestDatabase));

describe('the queries of webhooks on SQLite', () => {
  let opened: TestDatabase;
  beforeAll(() => {
    opened = openTestDatabase();
  });
  afterAll(() => opened.close());

  /** How SQLite goes about every query that `use` makes: its plans, each in one line. Nothing is run. */
  const plansOf = async (use: (sql: Sql) => Promise<unknown>): Promise<string[]> => {
    const connection = connectSqlite(opened.path);
    const plans: string[] = [];
    const explain = (text: string, values: Parameters<Sql['all']>[1]) => {
      const steps = connection.all(`EXPLAIN QUERY PLAN ${text}`, values) as { detail: string }[];
      plans.push(steps.map(({ detail }) => detail).join('; '));
    };
    try {
      await use({
        one: async (text, values) => explain(text, values) as undefined,
        all: async (text, values) => {
          explain(text, values);
          return [];
        },
        run: async (text, values) => explain(text, values),
        nextId: async () => 1n,
        afterCommit: () => undefined,
        lockRows: '',
      });
    } finally {
      connection.close();
    }
    return plans;
  };

  const webhooks = (sql: Sql) => webhooksOnSql(sql, 1n, { now: opened.clock, randomText: opened.randomText });
  const endpoint = { storeId: 1n, webhookId: 'wh_one', url: '', secrets: [] };
  const pages = (['asc', 'desc'] as const).flatMap((order) =>
    [undefined, { createdAt: 5, id: 'x' }].map((after) => ({ limit: 21, order, after })),
  );

  test.each(pages)('list webhooks from an index, without sorting (%j)', async (page) => {
    const plans = await plansOf((sql) => webhooks(sql).list(page));
    expect(plans).toEqual([
      expect.stringMatching(/^SEARCH webhooks USING INDEX webhooks_created \(store_id=\?[^;]*\)$/),
    ]);
  });

  test.each(pages)('list the log of one webhook from an index, without sorting (%j)', async (page) => {
    const plans = await plansOf((sql) => webhooks(sql).listDeliveries('wh_one', page));
    expect(plans).toEqual([
      expect.stringMatching(/^SEARCH deliveries USING INDEX deliveries_log \(store_id=\? AND webhook_id=\?[^;]*\)$/),
    ]);
  });

  test('find due deliveries of one webhook by their time', async () => {
    const [plan] = await plansOf((sql) => deliveryQueueOnSql(sql).deliveries(endpoint, 5, 64));
    expect(plan).toStartWith(
      'SEARCH d USING INDEX deliveries_due (store_id=? AND webhook_id=? AND next_attempt_at<?); ' +
        'SEARCH e USING PRIMARY KEY (store_id=? AND sequence=?)',
    );
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test('find endpoints with something due without reading their deliveries', async () => {
    const [plan] = await plansOf((sql) => deliveryQueueOnSql(sql).endpoints(5));
    expect(plan).toMatch(
      /SEARCH d (EXISTS )?USING (COVERING )?INDEX deliveries_due \(store_id=\? AND webhook_id=\? AND next_attempt_at<\?\)/,
    );
  });

  test('give up or remove the deliveries of one webhook by an index', async () => {
    const off = { id: 'wh_one', url: '', events: [], enabled: false, disabledReason: null, createdAt: 1 };
    const [, givenUp] = await plansOf((sql) => webhooks(sql).update(off));
    expect(givenUp).toMatch(
      /^SEARCH deliveries USING (COVERING )?INDEX deliveries_due \(store_id=\? AND webhook_id=\?/,
    );
    const [removed] = await plansOf((sql) => webhooks(sql).remove('wh_one'));
    expect(removed).toMatch(
      /^SEARCH deliveries USING (COVERING )?INDEX deliveries_\w+ \(store_id=\? AND webhook_id=\?\)/,
    );
  });
});
