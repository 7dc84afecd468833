import { describe, expect, test } from 'bun:test';
import { openTestDatabase, readRows } from '../../test/database.ts';
import { ANSWER_KEPT_MS } from '../idempotency/run-once.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import { PET_STATUSES, type PetStatus } from '../pets/pet.ts';
import { MIGRATIONS } from './migrations.sqlite.ts';
import { connectSqlite } from './sqlite.connection.ts';

const OUR_MARK = 0x70657473;

/** The file as a version left it that knew only so many steps. */
const leaveFile = (path: string, steps: number, fill: string): void => {
  const connection = connectSqlite(path);
  connection.script(`PRAGMA journal_mode = WAL; PRAGMA application_id = ${OUR_MARK}`);
  for (const step of MIGRATIONS.slice(0, steps)) connection.script(step);
  connection.script(`PRAGMA user_version = ${steps}`);
  connection.script(fill);
  connection.close();
};

/** 600 animals of two stores, of every status and of three categories, each with what told of it. */
const FILL = `
  INSERT INTO deployment VALUES ('production');
  INSERT INTO ids VALUES ('pets', 600);
  INSERT INTO stores VALUES (1, 0, 300), (2, 0, 300);
  CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
    SELECT i, 1 + i % 2 AS store, CASE i % 3 WHEN 0 THEN 'available' WHEN 1 THEN 'pending' ELSE 'sold' END AS status FROM n;
  INSERT INTO pets SELECT store, i, 'Animal ' || i, i % 5, status, 1 + i % 7, iif(i % 3 = 1, i, NULL), i, i FROM n;
  INSERT INTO inventory SELECT store, status, 0, count(*) FROM n GROUP BY store, status;
  INSERT INTO events (store_id, sequence, id, type, occurred_at, data, pet_id)
    SELECT store, (i + 1) / 2, 'evt_' || i, 'pet.created', i, '{}', i FROM n;
  INSERT INTO idempotency SELECT store, 'key_1', 'word-' || i, x'01', '{"id":' || i || '}', 1, '/pets/' || i, i FROM n;
`;

describe('a file of the version before', () => {
  const STEPS_BEFORE = 4;

  test('is opened with every animal in every list, every count, every event and every kept answer', async () => {
    const opened = openTestDatabase({ leave: (path) => leaveFile(path, STEPS_BEFORE, FILL) });
    try {
      const store = 2n;
      const { pets, events } = opened.database.read(store);
      const ids = Array.from({ length: 600 }, (_, index) => index + 1).filter((id) => id % 2 === 1);
      const statusOf = (id: number): PetStatus => (['available', 'pending', 'sold'] as const)[id % 3] as PetStatus;
      const expected = (id: number) => ({
        id: BigInt(id),
        name: `Animal ${id}`,
        categoryId: BigInt(id % 5),
        status: statusOf(id),
        version: BigInt(1 + (id % 7)),
        heldByOrderId: id % 3 === 1 ? BigInt(id) : null,
      });
      const all = { limit: 1000, order: 'asc' } as const;
      expect(await pets.list({}, all)).toEqual(ids.map(expected));
      for (const status of PET_STATUSES) {
        const having = ids.filter((id) => statusOf(id) === status);
        expect(await pets.list({ status }, all)).toEqual(having.map(expected));
        expect(await pets.list({ status, categoryId: 3n }, all)).toEqual(
          having.filter((id) => id % 5 === 3).map(expected),
        );
      }
      const third = ids.filter((id) => id % 5 === 3);
      expect(await pets.list({ categoryId: 3n }, { ...all, order: 'desc' })).toEqual(third.toReversed().map(expected));
      expect(await pets.inventory()).toEqual({ available: 100n, pending: 100n, sold: 100n });
      expect(await events.range()).toEqual({ first: 1n, last: 300n });

      const call = { ...SYSTEM_CALL, storeId: store };
      const kept = await opened.database.write(call, ({ idempotency }) => idempotency.find('key_1', 'word-7', 0));
      expect(kept).toEqual({ fingerprint: new Uint8Array([1]), body: '{"id":7}', version: 1n, location: '/pets/7' });
      const forgotten = await opened.database.write(call, ({ keptAnswers }) =>
        keptAnswers.forget(ANSWER_KEPT_MS, 1000),
      );
      expect(forgotten).toBe(600);
    } finally {
      await opened.close();
    }
  });

  test('goes on counting where it was', async () => {
    const opened = openTestDatabase({ leave: (path) => leaveFile(path, STEPS_BEFORE, FILL) });
    try {
      const pet = await opened.database.write(SYSTEM_CALL, async ({ pets, events }) => {
        const inserted = await pets.insert({ name: 'Rex', categoryId: 1n, status: 'sold' });
        await events.append({ type: 'pet.created', object: {}, petId: inserted.id });
        return inserted;
      });
      expect(pet.id).toBe(601n);
      expect(await readRows(opened.path, 'SELECT last_sequence FROM stores WHERE id = 1')).toEqual([
        { last_sequence: 301 },
      ]);
      expect((await opened.database.read(1n).pets.inventory()).sold).toBe(101n);
    } finally {
      await opened.close();
    }
  });
});
