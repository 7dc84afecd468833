import { describe, expect, test } from 'bun:test';
import { createTestClock } from '../../test/clock.ts';
import { POSTGRES_SERVER } from '../../test/postgres-database.ts';
import { openPostgresSql } from '../../test/postgres-sql.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import { sqlCluster } from './cluster.repository.sql.ts';
import { createLeadership } from './leadership.ts';

const TERM_MS = 30_000;

describe.skipIf(!POSTGRES_SERVER)('the leader', () => {
  const postgres = openPostgresSql();
  const clock = createTestClock();
  const writes: string[] = [];
  let losesReply = false;

  const join = (holder: string) => {
    const leadership = createLeadership({
      holder,
      clock,
      elapsed: clock,
      lead: async (now, until) => {
        writes.push(holder);
        const leads = await postgres.database.write(SYSTEM_CALL, (sql) => sqlCluster(sql).lead(holder, now, until));
        if (losesReply) throw new Error('the reply to the COMMIT is lost');
        return leads;
      },
    });
    const read = () =>
      sqlCluster(postgres.database.read(1n)).read({ keyChanges: undefined, storeIds: [], workAt: undefined });
    return {
      ...leadership,
      async tend(): Promise<boolean> {
        const hasOthers = leadership.note(await read());
        await leadership.tend();
        return hasOthers;
      },
      resign: () => postgres.database.write(SYSTEM_CALL, (sql) => sqlCluster(sql).resign(holder)),
    };
  };
  const one = join('one');
  const two = join('two');
  const leaders = async () => {
    const seen = [await one.tend(), await two.tend()];
    return { leaders: [one.isLeader(), two.isLeader()], others: seen, writes: writes.splice(0) };
  };

  test('is one instance, which writes only to renew its term', async () => {
    expect(await leaders()).toEqual({ leaders: [true, false], others: [false, false], writes: ['one'] });
    clock.advance(TERM_MS - 10_001);
    expect(await leaders()).toEqual({ leaders: [true, false], others: [false, false], writes: [] });
    clock.advance(1);
    expect(await leaders()).toEqual({ leaders: [true, false], others: [false, true], writes: ['one'] });
  });

  test('renews its term again if the reply to the renewal was lost', async () => {
    clock.advance(TERM_MS - 10_000);
    losesReply = true;
    await expect(one.tend()).rejects.toThrow('lost');
    losesReply = false;
    clock.advance(1000);
    expect(await leaders()).toMatchObject({ leaders: [true, false], writes: ['one', 'one'] });
    clock.advance(TERM_MS - 10_001);
    expect(await leaders()).toMatchObject({ leaders: [true, false], writes: [] });
  });

  test('is replaced when its term ends, and stops leading a little earlier', async () => {
    clock.advance(TERM_MS - 1000);
    expect(one.isLeader()).toBeFalse();
    clock.advance(1000);
    await two.tend();
    expect([one.isLeader(), two.isLeader()]).toEqual([false, true]);
    expect(await leaders()).toMatchObject({ leaders: [false, true] });
  });

  test('can resign', async () => {
    await two.resign();
    expect(await leaders()).toMatchObject({ leaders: [true, false] });
  });

  test('is replaced if its term lies far in the future, because a clock was wrong', async () => {
    clock.advance(-10 * TERM_MS);
    await two.tend();
    expect(two.isLeader()).toBeTrue();
  });

  test('runs every job until it has looked for work, and then only the jobs that have work', async () => {
    const { read } = sqlCluster(postgres.database.read(1n));
    expect(one.hasWork('orders')).toBeTrue();
    const question = { keyChanges: undefined, storeIds: [] };
    one.note(await read({ ...question, workAt: clock() }));
    expect(one.hasWork('orders')).toBeFalse();
    await two.resign();
    expect(await leaders()).toMatchObject({ leaders: [true, false] });
    one.note(await read({ ...question, workAt: clock() }));
    const measured = () => Promise.all([one, two].map((it) => it.measure('orders', async () => 7)));
    expect(await measured()).toEqual([0, undefined]);
    await postgres.database.write(SYSTEM_CALL, (sql) =>
      sql.run(
        `INSERT INTO orders (store_id, id, pet_id, status, placed_by_key_id, placed_at, updated_at, expires_at)
         VALUES (1, 1, 1, 'placed', 'key', 0, 0, $1)`,
        [clock()],
      ),
    );
    expect((await read({ ...question, workAt: clock() - 1 })).work).toEqual(new Set());
    expect((await read({ ...question, workAt: clock() })).work).toEqual(new Set(['orders']));
    one.note(await read({ ...question, workAt: clock() }));
    expect(await measured()).toEqual([7, undefined]);
    clock.advance(TERM_MS);
    expect(await measured()).toEqual([7, 7]);
  });
});
