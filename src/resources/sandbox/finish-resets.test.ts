import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { onEveryEngine, readRows, type TestDatabase } from '../../../test/database.ts';
import type { Repositories } from '../../compose/repositories.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import { createPetContract } from '../pets/pets.contracts.ts';
import { createResets } from './finish-resets.ts';
import { sandboxGuard } from './sandbox-guard.ts';

const guard = sandboxGuard(createPetContract, 1_000_000);
const refuseWhileReset = async (...[repositories, call]: Parameters<NonNullable<typeof guard>>) =>
  guard?.(repositories, call);

const STORE = 7n;
const CALL = { ...SYSTEM_CALL, storeId: STORE };
const BY = { storeId: STORE, keyId: 'key_1', requestId: 'req_1' };
const ROWS = { pets: 260, orders: 130, categories: 150 };

describe('a reset', () => {
  onEveryEngine((open) => {
    let opened: TestDatabase;
    let stopsAfter: number;
    let left: number[];
    let rests: number[];

    const write = <Result>(body: (repositories: Repositories) => Promise<Result>) => opened.database.write(CALL, body);

    beforeEach(async () => {
      opened = await open({ environment: 'staging' });
      stopsAfter = Infinity;
      left = [];
      rests = [];
      await write(async ({ stores, pets, orders, categories }) => {
        await stores.open(STORE);
        const times = { placedAt: 0, updatedAt: 0, expiresAt: null };
        for (let count = 0; count < ROWS.pets; count += 1) {
          const { id } = await pets.insert({ name: 'Rex', categoryId: 1n, status: 'available' });
          if (count < ROWS.orders) {
            await orders.insert({ petId: id, status: 'cancelled', placedByKeyId: 'key_1', ...times });
          }
        }
        for (let count = 0; count < ROWS.categories; count += 1) await categories.record(BigInt(1000 + 2 * count));
      });
    });
    afterEach(() => opened.close());

    const countRows = async (): Promise<number> => {
      const counts = ['pets', 'orders', 'categories'].map(
        (table) => `(SELECT count(*) FROM ${table} WHERE store_id = 7)`,
      );
      const [row] = await readRows(opened.path, `SELECT ${counts.join(' + ')} AS n`);
      return Number(row.n);
    };
    const startProcess = (foundNone = async () => {}) => {
      const { stores } = opened.database.read(STORE);
      return createResets({
        now: opened.clock,
        stores: {
          ...stores,
          findReset: async (storeId) => {
            const found = await stores.findReset(storeId);
            if (!found) await foundNone();
            return found;
          },
        },
        isStopped: () => left.length >= stopsAfter,
        elapsed: () => 5 * left.length,
        pause: async (ms) => void rests.push(ms),
        write: async (call, body) => {
          await opened.database.write(call, body);
          left.push(await countRows());
        },
      });
    };
    const begin = () => write(({ stores }) => stores.beginReset(BY));
    const refusal = () => write((repositories) => refuseWhileReset(repositories, CALL).then(() => 'none', String));

    const expectAsNew = async () => {
      expect(await opened.database.read(STORE).pets.inventory()).toEqual({ available: 36n, pending: 12n, sold: 12n });
      const [{ n }] = await readRows(opened.path, 'SELECT count(*) AS n FROM categories WHERE store_id = 7');
      expect(Number(n)).toBe(6);
      const [run] = await readRows(opened.path, 'SELECT first, last FROM category_runs WHERE store_id = 7');
      expect([Number(run.first), Number(run.last)]).toEqual([1, 6]);
      expect(await refusal()).toBe('none');
    };

    test('removes at most a hundred rows per transaction', async () => {
      await begin();
      const before = await countRows();
      await startProcess().finish(STORE);
      const taken = left.map((count, index) => (left[index - 1] ?? before) - count);
      expect(taken.slice(0, -1)).toEqual(Array(taken.length - 1).fill(100));
      expect(taken).toHaveLength(6);
      await expectAsNew();
    });

    test('pauses three times as long as each transaction took', async () => {
      await begin();
      await startProcess().finish(STORE);
      expect(rests).toEqual(left.map(() => 15));
    });

    test('does nothing if none was requested', async () => {
      await startProcess().finish(STORE);
      expect(left).toEqual([]);
    });

    test('is finished by another process after its own process stops', async () => {
      await begin();
      stopsAfter = 2;
      await expect(startProcess().finish(STORE)).rejects.toMatchObject({ code: 'unavailable' });
      expect(left).toHaveLength(2);
      expect(await refusal()).toContain('being reset');

      stopsAfter = Infinity;
      const second = startProcess();
      await second.finishAbandoned();
      expect(left).toHaveLength(2);
      opened.clock.advance(5001);
      await second.finishAbandoned();
      await expectAsNew();
    });

    test('waits for a running change, and removes it with the rest', async () => {
      // SQLite runs one write at a time, so this race can occur only on PostgreSQL.
      if (!opened.path.startsWith('postgres:')) return;
      const [checked, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const change = write(async (repositories) => {
        await refuseWhileReset(repositories, CALL);
        checked.resolve();
        await mayEnd.promise;
        await repositories.pets.insert({ name: 'Late', categoryId: 1n, status: 'available' });
      });
      await checked.promise;
      await begin();
      expect(await refusal()).toContain('being reset');
      const ended = startProcess().finish(STORE);
      mayEnd.resolve();
      await Promise.all([change, ended]);
      await expectAsNew();
    });

    test('that two processes run ends as if only one had run it', async () => {
      await begin();
      await Promise.all([startProcess(), startProcess()].map((process) => process.finish(STORE)));
      await expectAsNew();
      const removed = `SELECT count(*) AS n FROM events WHERE store_id = 7 AND type = 'pet.deleted'`;
      expect(Number((await readRows(opened.path, removed))[0].n)).toBe(ROWS.pets);
    });

    test('writes events in the name of the key that requested it, whichever process finishes it', async () => {
      await begin();
      opened.clock.advance(5001);
      await startProcess().finishAbandoned();
      const events = await readRows(
        opened.path,
        'SELECT DISTINCT actor_key_id, request_id FROM events WHERE store_id = 7',
      );
      expect(events).toEqual([{ actor_key_id: 'key_1', request_id: 'req_1' }]);
    });

    test('that is requested just after another has ended also runs', async () => {
      await begin();
      let again: Promise<void> | undefined;
      const resets = startProcess(async () => {
        if (again) return;
        await begin();
        again = resets.finish(STORE);
      });
      await resets.finish(STORE);
      await again;
      await expectAsNew();
    });
  });
});
