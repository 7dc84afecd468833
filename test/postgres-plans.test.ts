import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sqlCluster } from '../src/cluster/cluster.repository.sql.ts';
import { bindRepositories, type Repositories } from '../src/compose/repositories.ts';
import { SYSTEM_CALL } from '../src/kernel/operation.ts';
import type { Sql, SqlValue } from '../src/storage/sql.ts';
import { createPostgresDatabase, POSTGRES_SERVER } from './postgres-database.ts';
import { type Plan, postgresPlans } from './query-plan.postgres.ts';
import { beforeEnd, pagesBehind } from './query-plan.ts';
import { query } from './servers/databases.ts';

const PATIENCE_MS = 600_000;

/**
 * The large stores have so many rows that a wrong query plan costs more than the right one. Because of the many small
 * stores, PostgreSQL's generic plan expects every store to be small.
 */
const FILL = `
  INSERT INTO stores (id, created_at, last_sequence) VALUES (1, 0, 90000), (2, 0, 9000), (3, 0, 10);
  INSERT INTO stores (id, created_at, last_sequence, due_at)
    SELECT i, 0, 0, CASE WHEN i % 100 = 0 THEN i END FROM generate_series(10, 3009) i;
  CREATE TEMP TABLE n AS SELECT i, CASE WHEN i % 11 = 0 THEN 2 ELSE 1 END AS store FROM generate_series(1, 20000) i;
  INSERT INTO categories SELECT store, i FROM n;
  INSERT INTO pets SELECT store, i, 'Rex', i % 50, (ARRAY['available', 'available', 'pending', 'sold'])[i % 4 + 1], 1,
    NULL, 'rex ' || i % 1000, 0, 0 FROM n;
  INSERT INTO pets SELECT 10 + i % 3000, 20000 + i, 'Rex', i % 6, (ARRAY['available', 'pending', 'sold'])[i % 3 + 1], 1, NULL,
    'rex', 0, 0 FROM generate_series(1, 60000) i;
  INSERT INTO orders SELECT store, i, i / 2, (ARRAY['placed', 'delivered', 'cancelled'])[i % 3 + 1], 'key_1', 0, 0,
    CASE WHEN i % 3 = 0 THEN i END FROM n;
  INSERT INTO events (store_id, id, sequence, type, occurred_at, data, pet_id) SELECT store, 'evt_' || i,
    CASE WHEN i < 19990 THEN i END, CASE WHEN i % 100 = 0 THEN 'key.updated' ELSE 'pet.created' END, i, '{}', i / 3 FROM n;
  INSERT INTO keys (id, store_id, name, plan, scopes, prefix, last4, is_admin, created_at)
    SELECT 'key_' || i, store, '', 'free', '', '', '', CASE WHEN i = 1 THEN 1 ELSE 0 END, i FROM n;
  INSERT INTO key_secrets SELECT decode(md5(i::text), 'hex'), 'key_' || i FROM n;
  INSERT INTO usage SELECT 'key_' || i % 500, i / 500, 200, 1 FROM n;
  INSERT INTO windows SELECT 'key_' || i, 'minute', 1, i FROM n;
  INSERT INTO idempotency SELECT store, 'key_1', 'word-' || i, 'x', '', 1, '', i FROM n;
  INSERT INTO webhooks (store_id, id, key_id, is_operators, url, events, state, created_at, secret, after_sequence)
    SELECT CASE WHEN i <= 20 THEN store ELSE i END, 'wh_' || i, 'key_' || i, 0, '', '', 'enabled', i, '', 1 FROM n WHERE i <= 2000;
  INSERT INTO deliveries (store_id, id, webhook_id, sequence, event_id, attempt, state, next_attempt_at, created_at)
    SELECT store, 'dlv_' || i, 'wh_' || i % 20, i, 'evt_' || i, 0, 'pending', CASE WHEN i % 50 = 0 THEN i END, i FROM n;
  INSERT INTO event_counts SELECT store, 'hour', i::bigint * 3600000, 'pet.created', 1 FROM n`;

// After the first VACUUM, PostgreSQL estimates a much lower cost for index-only scans.
const VACUUMS = [
  ['before the first VACUUM', 'ANALYZE'],
  ['after a VACUUM', 'VACUUM ANALYZE'],
] as const;

describe.skipIf(!POSTGRES_SERVER).each(VACUUMS)('on PostgreSQL with many rows, %s', (_, analyze) => {
  let url: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ url, drop } = await createPostgresDatabase('production'));
    await query(url, FILL);
    await query(url, analyze);
  }, PATIENCE_MS);
  afterAll(() => drop());

  const sequencer = {
    next: async () => null,
    assignPending: async () => undefined,
    assignAll: async () => undefined,
    assignSome: async () => ({ hasMore: false, hasDeliveries: false }),
    pendingSince: async () => undefined,
    committed: () => undefined,
  };
  const bind = bindRepositories({
    clock: () => 1,
    randomText: (length) => 'x'.repeat(length),
    keyChanges: { publish: () => undefined },
    sequencer: () => sequencer,
  });
  const plansOf = (use: (repositories: Repositories) => Promise<unknown>, values?: 'any' | 'given'): Promise<Plan[]> =>
    postgresPlans(url, (sql) => use(bind(sql, { ...SYSTEM_CALL, storeId: 1n })), values);

  const expectIndexed = (plans: readonly Plan[], { sorts = false } = {}) => {
    expect(plans.length).toBeGreaterThan(0);
    for (const { text, steps } of plans) {
      expect([text, steps.filter((step) => step.startsWith('Seq Scan'))]).toEqual([text, []]);
      if (!sorts) expect([text, steps.filter((step) => /Sort|Bitmap/.test(step))]).toEqual([text, []]);
    }
  };

  const indexesOf = (plans: readonly Plan[]): Set<string> => {
    const scans = plans.flatMap(({ steps }) => steps.filter((step) => step.includes('Index')));
    return new Set(scans.map((scan) => scan.slice(scan.lastIndexOf(' ') + 1)));
  };

  /** A request may contain up to 100 ids. PostgreSQL must look up each of them in the index. */
  const ids = Array.from({ length: 100 }, (_, index) => BigInt(index * 7));
  const expectFoundById = (plans: readonly Plan[]) => {
    expectIndexed(plans, { sorts: true });
    expect(indexesOf(plans)).toEqual(new Set(['pets_pkey']));
  };

  const filters = [{}, { status: 'sold' } as const].flatMap((byStatus) =>
    [{}, { categoryId: 1n }].map((byCategory) => ({ ...byStatus, ...byCategory })),
  );
  const named = filters.map((filter) => [Object.keys(filter).join(' and ') || 'no filter', filter] as const);
  test.each(named)('pets are listed from an index in order: %s', async (_, filter) => {
    expectIndexed(
      await plansOf(async ({ pets }) => {
        for (const page of pagesBehind(5n)) await pets.list(filter, page);
      }),
    );
    expectFoundById(await plansOf(async ({ pets }) => pets.list({ ...filter, ids }, { limit: 21, order: 'asc' })));
  });

  test.each(named.flatMap(([words, filter]) => [undefined, 'rex 7'].map((name) => [words, name, filter] as const)))(
    'pets are listed by name from an index in order: %s, starting with %p',
    async (_, name, filter) => {
      const isOfCategory = 'categoryId' in filter;
      const plans = await postgresPlans(url, async (sql) => {
        const { pets } = bind(beforeEnd(sql), { ...SYSTEM_CALL, storeId: 1n });
        for (const page of pagesBehind({ foldedName: 'rex 70', id: 5n }))
          await pets.listByName({ ...filter, name }, page);
      });
      expectIndexed(plans, { sorts: isOfCategory });
      const category = ['pets_category', 'pets_pkey'];
      expect(indexesOf(plans)).toEqual(new Set(['pets_status_name', ...(isOfCategory ? category : [])]));
      const byIds = await plansOf(async ({ pets }) =>
        pets.listByName({ ...filter, name, ids }, { limit: 21, order: 'asc' }),
      );
      expectFoundById(byIds);
    },
  );

  test.each(
    named.flatMap(([words, filter]) =>
      (['id', 'name'] as const).flatMap((sort) =>
        (['any', 'given'] as const).map((values) => [words, sort, values, filter] as const),
      ),
    ),
  )(
    'a search uses the index of its list and the index of names: %s, by %s, %s values',
    async (_, sort, values, filter) => {
      const searchAll = async (sql: Sql) => {
        const { pets } = bind(beforeEnd(sql), { ...SYSTEM_CALL, storeId: 1n });
        for (const search of ['rex', 'rex 77', 'missing']) {
          for (const page of pagesBehind({ foldedName: 'rex 70', id: 5n }))
            await pets.search({ ...filter, sort, search }, page);
        }
      };
      const plans = await postgresPlans(url, searchAll, values);
      expectIndexed(plans, { sorts: true });
      const [found, listed] = [true, false].map((is) =>
        plans.filter(({ text }) => text.includes('name_trigrams') === is),
      );
      expect([found?.length, listed?.length]).toEqual([12, 12]);
      expect(indexesOf(found ?? [])).toEqual(new Set(['pets_trigrams']));
      // If PostgreSQL plans for the given values, it may also combine indexes, because it knows that few rows match.
      if (values === 'given') return;
      const byFilter = 'categoryId' in filter ? 'pets_category' : 'pets_status';
      const byId = Object.keys(filter).length === 0 ? 'pets_pkey' : byFilter;
      expect(indexesOf(listed ?? [])).toEqual(new Set(['pets_pkey', sort === 'name' ? 'pets_status_name' : byId]));
    },
  );

  test.each(['any', 'given'] as const)(
    'pets that move to another category are found by id: %s values',
    async (values) => {
      const plans = await plansOf(({ pets }) => pets.moveSome(1n, 2n, 100), values);
      expect(plans).toHaveLength(3);
      for (const { steps } of plans) {
        const scans = steps.filter((step) => step.includes('Scan') && step !== 'Subquery Scan');
        expect(scans.toSorted()).toEqual(['Index Only Scan pets_category', 'Index Scan pets_pkey']);
      }
    },
  );

  test('orders are listed from an index in order, with any filter', async () => {
    const status = 'placed' as const;
    const plans = await plansOf(async ({ orders }) => {
      for (const filter of [{}, { status }, { petId: 7n }, { status, petId: 7n }]) {
        for (const page of pagesBehind({ id: 5n })) await orders.list(filter, page);
      }
    });
    expectIndexed(plans);
  });

  test('categories, events, histories, keys, webhooks and their logs are listed from an index in order', async () => {
    const behind = { createdAt: 5, id: 'x' };
    const plans = await plansOf(async ({ categories, events, keys, webhooks }) => {
      for (const page of pagesBehind(5n)) {
        await categories.list(page);
        await categories.list(page, { withPets: true });
        for (const withOperators of [true, false]) await events.list({ withOperators }, page);
        await events.list({ type: 'pet.created', withOperators: false }, page);
        await events.listOfPet(7n, page);
      }
      for (const page of pagesBehind(behind)) {
        await keys.list(page);
        await webhooks.list(page, { withOperators: false });
        await webhooks.listDeliveries('wh_1', page);
      }
      for (const page of pagesBehind({ occurredAt: 5, storeId: 1n, sequence: 5n })) await events.listAudited(page);
    });
    expectIndexed(plans);
  });

  test('single rows are read and locked by an index', async () => {
    const plans = await plansOf(async ({ pets, orders, categories, keys, idempotency, webhooks, events }) => {
      await pets.find(1n);
      await pets.lock(1n);
      await orders.lock(1n);
      await events.find(7n, { withOperators: false });
      await categories.lock(1n);
      await keys.findBySecret(new Uint8Array([1]), 1);
      await keys.lock('key_1');
      await keys.lockAdmin();
      await idempotency.find('key_1', 'word-1');
      await webhooks.lock('wh_1');
      await webhooks.findDelivery('wh_1', 'dlv_1');
      await events.range();
      await pets.inventory();
    });
    const small = new Set(['Seq Scan stores', 'Seq Scan inventory']);
    expectIndexed(
      plans.map(({ text, steps }) => ({ text, steps: steps.filter((step) => !small.has(step)) })),
      { sorts: true },
    );
  });

  test('the leader finds work by an index, without a table scan', async () => {
    const question = { keyChanges: 1n, storeIds: [], workAt: 5 };
    const plans = await postgresPlans(url, async (sql) => {
      const one = async (text: string, values: readonly SqlValue[]) => {
        await sql.one(text, values);
        return { has_work: '1' } as never;
      };
      await sqlCluster({ ...sql, one }).read(question);
    });
    expect(plans).toHaveLength(2);
    const small = new Set(['Seq Scan deployment']);
    expectIndexed(
      plans.map(({ text, steps }) => ({ text, steps: steps.filter((step) => !small.has(step)) })),
      { sorts: true },
    );
  });

  test('jobs find due and old rows by an index, without a table scan', async () => {
    const plans = await plansOf(async ({ dueOrders, keptAnswers, limits, usage, events, deliveryQueue, webhooks }) => {
      await dueOrders.list(100, 500);
      await keptAnswers.forget(5, 1000);
      await limits.forget(5);
      await usage.forget(0, 1000);
      await usage.newestHour(0);
      await usage.hoursOf('key_1', 0);
      // Deletes only 50 rows. This table is so small that PostgreSQL would use a table scan to delete 1,000 rows.
      await events.forget(5, 50);
      await deliveryQueue.deliveries({ storeId: 1n, webhookId: 'wh_1', url: '', secrets: [] }, 5, 64);
      await deliveryQueue.deliveries({ storeId: 1n, webhookId: 'wh_1', url: '', secrets: [] }, 5, 64, 'first attempts');
      await deliveryQueue.dueStores(5);
      await deliveryQueue.farAhead(9_000_000_000_000);
      await deliveryQueue.keyless({ from: 0, to: 5 }, 50, 'key_7');
      await deliveryQueue.keyless({ from: 3, to: 5 }, 50);
      await deliveryQueue.uncleared(50);
      await webhooks.hasten(9_000_000_000_000, 50);
      await webhooks.settle();
    }, 'given');
    expectIndexed(plans, { sorts: true });
  });
});
