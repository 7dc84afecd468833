import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onEveryEngine, openTestDatabase, readRows, type TestDatabase } from '../../../test/database.ts';
import { queryPlans } from '../../../test/query-plan.ts';
import type { Change } from '../../kernel/operation.ts';
import { type Call, SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Sql } from '../../storage/sql.ts';
import { openSqlite } from '../../storage/sqlite/database.ts';
import { createLocalArrivals } from '../../streaming/arrivals.ts';
import { sequenceInTransaction } from '../../streaming/sequencer.sql.ts';
import { sqlStores } from '../stores/stores.repository.sql.ts';
import { sqlEventLog, sqlEvents } from './events.repository.sql.ts';
import { describeEventRepository } from './events.repository.suite.ts';

onEveryEngine(describeEventRepository);

const CALL: Call = {
  storeId: 1n,
  keyId: 'key_one',
  requestId: 'req_one',
  address: '192.0.2.1',
  scopes: [],
  traceparent: null,
  endsAt: null,
};

let opened: TestDatabase;
beforeAll(async () => {
  opened = openTestDatabase();
  await opened.database.write(SYSTEM_CALL, async ({ stores }) => {
    await stores.open(1n);
    await stores.open(2n);
  });
});
afterAll(() => opened.close());

describe('the event repository', () => {
  test('shows only changes to keys and webhooks in the audit trail, with the caller’s address', async () => {
    const types = [
      ...(['key.created', 'key.banned', 'webhook.created', 'webhook.test'] as const),
      ...(['pet.created', 'order.placed', 'category.updated'] as const),
    ];
    await opened.database.write(CALL, async ({ events }) => {
      for (const type of types) await events.append({ type, object: { id: type } });
    });
    const page = { limit: 100, order: 'asc' as const };
    const audited = await opened.database.read(1n).events.listAudited(page);
    expect(audited.map(({ type }) => type).sort()).toEqual(types.slice(0, 4).sort());
    for (const { address, actorKeyId, requestId } of audited) {
      expect([address, actorKeyId, requestId]).toEqual(['192.0.2.1', 'key_one', 'req_one']);
    }
    expect(await readRows(opened.path, `SELECT DISTINCT address FROM events WHERE type LIKE 'pet.%'`)).toEqual([
      { address: null },
    ]);
  });

  test('finds the sequence of an event by its id, in its own store and the given range', async () => {
    const ids: string[] = [];
    await opened.database.write(CALL, async ({ events }) => {
      for (const name of ['one', 'two']) ids.push(await events.append({ type: 'pet.created', object: { name } }));
    });
    const { last } = await opened.database.read(1n).events.range();
    const find = (id: string | undefined, above: bigint, upTo: bigint, storeId = 1n) =>
      opened.database.read(storeId).events.sequenceOf(id ?? '', { above, upTo });
    expect(await find(ids[0], 0n, last)).toBe(last - 1n);
    expect(await find(ids[0], last - 2n, last - 1n)).toBe(last - 1n);
    expect(await find(ids[0], last - 1n, last)).toBeUndefined();
    expect(await find(ids[1], 0n, last - 1n)).toBeUndefined();
    expect(await find(ids[1], 0n, last, 2n)).toBeUndefined();
  });

  test('assigns consecutive sequences to many events, in the order given', async () => {
    const { last } = await opened.database.read(1n).events.range();
    await opened.database.write(CALL, async ({ events }) => {
      await events.appendMany([1, 2, 3].map((id) => ({ type: 'pet.created', object: { id }, petId: BigInt(id) })));
      await events.appendMany([]);
      await events.append({ type: 'pet.created', object: { id: 4 }, petId: 4n });
    });
    const page = { limit: 10, order: 'asc' as const, after: last };
    const listed = await opened.database.read(1n).events.list({ withOperators: true }, page);
    expect(listed.map(({ sequence }) => sequence - last)).toEqual([1n, 2n, 3n, 4n]);
    expect(listed.map(({ data }) => JSON.parse(data).object.id)).toEqual([1, 2, 3, 4]);
  });

  test('starts at sequence 1 if no event is stored', async () => {
    await opened.database.write(SYSTEM_CALL, ({ stores }) => stores.open(9n));
    expect(await opened.database.read(9n).events.range()).toEqual({ first: 1n, last: 0n });
  });

  test('shows the new last sequence within the transaction that appends an event', async () => {
    const { last } = await opened.database.read(1n).events.range();
    const within = await opened.database.write(CALL, async ({ events }) => {
      await events.append({ type: 'pet.created', object: {} });
      return events.range();
    });
    expect(within.last).toBe(last + 1n);
  });

  test('assigns a sequence in the store of the event', async () => {
    await opened.database.write(CALL, ({ events }) => events.append({ type: 'key.updated', object: {}, storeId: 2n }));
    expect(
      await readRows(opened.path, 'SELECT sequence, type FROM events WHERE store_id = 2 ORDER BY sequence'),
    ).toEqual([{ sequence: 1, type: 'key.updated' }]);
  });

  test('announces each store after a commit with its events, and none after a rollback', async () => {
    const announced: bigint[] = [];
    const sequencer = sequenceInTransaction({ announce: (storeId) => void announced.push(storeId) });
    const { clock: now, randomText } = opened;
    const logOf = (sql: Sql, call: Call) =>
      sqlEventLog(sql, call.storeId, { now, randomText, sequencer: sequencer(sql) })(call);
    const directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
    const database = openSqlite({
      path: join(directory, 'petstore.db'),
      environment: 'production',
      bind: (sql, call) => ({
        stores: sqlStores(sql, opened.clock),
        log: logOf(sql, call),
      }),
    });
    const change: Change = { type: 'pet.created', object: {} };
    for (const storeId of [1n, 2n]) await database.write(CALL, ({ stores }) => stores.open(storeId));
    await database.write(CALL, async ({ log }) => {
      for (let count = 0; count < 2; count += 1) await log.append({ ...change, storeId: 2n });
      await log.appendMany([change, change]);
      expect(announced).toEqual([]);
    });
    expect(announced).toEqual([2n, 1n]);
    await database.write(CALL, ({ log }) => log.appendMany([]));
    expect(announced).toEqual([2n, 1n]);
    const failing = database.write(CALL, async ({ log }) => {
      await log.append(change);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(announced).toEqual([2n, 1n]);
    await database.close();
    rmSync(directory, { recursive: true });
  });

  test('refuses an event of a store that does not exist', async () => {
    const appended = opened.database.write({ ...CALL, storeId: 3n }, ({ events }) =>
      events.append({ type: 'pet.created', object: {} }),
    );
    await expect(appended).rejects.toThrow('store 3 is not open');
  });

  test('finds an event by the primary key of its table', async () => {
    const plans = await queryPlans(opened.path, (sql) =>
      sqlEvents(sql, 1n, sequenceInTransaction(createLocalArrivals())(sql), () => 0).find(7n, { withOperators: true }),
    );
    expect(plans).toEqual(['SEARCH events USING PRIMARY KEY (store_id=? AND sequence=?)']);
  });

  test('finds every page of the audit trail with an index, without sorting', async () => {
    const plans = await queryPlans(opened.path, async (sql) => {
      const events = sqlEvents(sql, 1n, sequenceInTransaction(createLocalArrivals())(sql), () => 0);
      for (const order of ['asc', 'desc'] as const) {
        await events.listAudited({ limit: 21, order });
        await events.listAudited({ limit: 21, order, after: { occurredAt: 1, storeId: 1n, sequence: 1n } });
      }
    });
    const whole = 'SCAN events USING INDEX events_audited';
    const behind = (sign: string) =>
      `SEARCH events USING INDEX events_audited ((occurred_at,store_id,sequence)${sign}(?,?,?))`;
    expect(plans).toEqual([whole, behind('>'), whole, behind('<')]);
  });
});
