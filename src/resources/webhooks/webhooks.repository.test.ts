import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { onEveryEngine, openTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { pagesBehind, queryPlans } from '../../../test/query-plan.ts';
import type { Repositories } from '../../compose/repositories.ts';
import { sqlDeliveryQueue } from '../../delivery/queue.repository.sql.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Sql, SqlValue } from '../../storage/sql.ts';
import { createLocalArrivals } from '../../streaming/arrivals.ts';
import { sequenceInTransaction } from '../../streaming/sequencer.sql.ts';
import { deliveryRepositorySuite } from './deliveries.repository.suite.ts';
import { eventVisibilitySuite } from './event-visibility.repository.suite.ts';
import type { WebhookState } from './webhook.ts';
import { sqlWebhooks } from './webhooks.repository.sql.ts';
import { webhookRepositorySuite } from './webhooks.repository.suite.ts';

onEveryEngine(webhookRepositorySuite);
onEveryEngine(deliveryRepositorySuite);
onEveryEngine(eventVisibilitySuite);

test('on SQLite, one event is fanned out at a time if the webhooks outnumber the rows of a transaction', async () => {
  const opened = openTestDatabase();
  const write = <Result>(body: (repositories: Repositories) => Promise<Result>) =>
    opened.database.write(SYSTEM_CALL, body);
  await write(async ({ stores, webhooks, events }) => {
    await stores.open(1n);
    for (const id of ['wh_a', 'wh_b', 'wh_c']) {
      const fields = { enabled: true, disabledReason: null, createdAt: 0, keyId: 'key', isOperators: false };
      await webhooks.insert({ id, url: 'https://a.example', events: ['pet.created'], ...fields }, 'secret');
    }
    for (let count = 0; count < 4; count += 1) await events.append({ type: 'pet.created', object: {} });
  });
  const left: boolean[] = [];
  for (let count = 0; count < 4; count += 1) left.push(await write(({ webhooks }) => webhooks.fanOut(2)));
  expect(left).toEqual([true, true, true, false]);
  await opened.close();
});

describe('the queries of webhooks on SQLite', () => {
  let opened: TestDatabase;
  beforeAll(() => {
    opened = openTestDatabase();
  });
  afterAll(() => opened.close());

  const plansOf = (use: (sql: Sql) => Promise<unknown>) => queryPlans(opened.path, use);
  const webhooks = (sql: Sql) =>
    sqlWebhooks(sql, 1n, {
      now: opened.clock,
      sequencer: sequenceInTransaction(createLocalArrivals())(sql),
    });
  const endpoint = { storeId: 1n, webhookId: 'wh_one', url: '', secrets: [] };
  const pages = pagesBehind({ createdAt: 5, id: 'x' });

  test.each(pages)('list webhooks from an index, without sorting (%j)', async (page) => {
    const plans = await plansOf((sql) => webhooks(sql).list(page, { withOperators: false }));
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
    const [plan] = await plansOf((sql) => sqlDeliveryQueue(sql).deliveries(endpoint, 5, 64));
    expect(plan).toStartWith(
      'SEARCH w USING PRIMARY KEY (store_id=? AND id=?); ' +
        'SEARCH d USING INDEX deliveries_due (store_id=? AND webhook_id=? AND next_attempt_at<?); ' +
        'SEARCH e USING PRIMARY KEY (store_id=? AND sequence=?)',
    );
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test('find first attempts of one webhook without reading the others', async () => {
    const [plan] = await plansOf((sql) => sqlDeliveryQueue(sql).deliveries(endpoint, 5, 64, 'first attempts'));
    expect(plan).toStartWith(
      'SEARCH w USING PRIMARY KEY (store_id=? AND id=?); ' +
        'SEARCH d USING INDEX deliveries_first (store_id=? AND webhook_id=? AND next_attempt_at<?)',
    );
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test('find deliveries past their retention by time, for each webhook', async () => {
    const [plan] = await plansOf((sql) => webhooks(sql).forgetDeliveries(5, 9));
    expect(plan).toMatch(
      /SEARCH d USING (COVERING )?INDEX deliveries_log \(store_id=\? AND webhook_id=\? AND created_at<\?\)/,
    );
    expect(plan).not.toContain('SCAN');
  });

  test('find retries that are too far ahead by time, for each webhook', async () => {
    const [plan] = await plansOf((sql) => webhooks(sql).hasten(9, 9));
    expect(plan).toMatch(/SEARCH d USING (COVERING )?INDEX deliveries_due \(.* AND next_attempt_at>\?\)/);
    expect(plan).not.toContain('SCAN');
  });

  test('find webhooks by the time when their key was revoked or expired', async () => {
    const [plan] = await plansOf((sql) => sqlDeliveryQueue(sql).keyless({ from: 3, to: 5 }, 9));
    expect(plan).toMatch(/SEARCH keys USING (COVERING )?INDEX keys_ended/);
    expect(plan).toMatch(/SEARCH w USING (COVERING )?INDEX webhooks_key \(key_id=\?\)/);
  });

  test('find endpoints with due deliveries without reading the deliveries', async () => {
    const [plan] = await plansOf((sql) => sqlDeliveryQueue(sql).endpoints(5));
    expect(plan).toMatch(
      /SEARCH d (EXISTS )?USING (COVERING )?INDEX deliveries_due \(store_id=\? AND webhook_id=\? AND next_attempt_at<\?\)/,
    );
  });

  /** Pretends that the webhook is in this state, so that `clear` looks for its deliveries. */
  const finding = (state: WebhookState, sql: Sql): Sql => ({
    ...sql,
    one: async <Row>(text: string, values: readonly SqlValue[]) => {
      await sql.one(text, values);
      return { state, after_sequence: 0n } as Row;
    },
  });
  test.each(['disabling', 'removing'] as const)(
    'find the deliveries that one webhook must clear by an index (%s)',
    async (state) => {
      const plans = await plansOf((sql) => webhooks(finding(state, sql)).clear('wh_one', 500));
      const [plan, ...others] = plans.filter((it) => it.includes('deliveries'));
      expect(others).toEqual([]);
      expect(plan).toMatch(/SEARCH deliveries USING PRIMARY KEY \(store_id=\? AND id=\?\)/);
      expect(plan).toMatch(
        /SEARCH deliveries USING (COVERING )?INDEX deliveries_(due|log) \(store_id=\? AND webhook_id=\?/,
      );
      expect(plan).not.toContain('SCAN');
    },
  );
});
