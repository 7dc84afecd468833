import { afterEach, beforeEach, describe, expect } from 'bun:test';
import { SYSTEM_CALL } from '../src/kernel/operation.ts';
import type { Sql } from '../src/storage/sql.ts';
import { inTime } from '../test/in-time.ts';
import { type BehindProxy, openBehindProxy } from '../test/postgres-behind-proxy.ts';
import { POSTGRES_SERVER } from '../test/postgres-database.ts';
import { waitFor } from '../test/wait-for.ts';
import { proof, type Tell } from './proof.ts';

const UNAVAILABLE = { code: 'unavailable', retryAfterSeconds: 1 };
const LONGEST_MS = 5000;
const AGAIN_MS = 2000;
const HELD_MS = 3300;
const WRITERS = 13;

describe.skipIf(!POSTGRES_SERVER)('a PostgreSQL server that fails', () => {
  let place: BehindProxy;
  beforeEach(async () => {
    place = await openBehindProxy();
  });
  afterEach(() => place.close());

  const failure = async (work: Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    const error = await work.then(
      () => undefined,
      (thrown) => thrown,
    );
    expect(error).toMatchObject(UNAVAILABLE);
    return performance.now() - startedAt;
  };
  const tellServed = async ({ time }: Tell) => {
    const backAt = performance.now();
    await place.isServedAgain();
    time('used again after', performance.now() - backAt, AGAIN_MS);
  };

  proof(
    'a PostgreSQL that does not respond delays no caller by more than five seconds, and is used again as soon as it responds',
    async (tell) => {
      place.proxy.blackHole();
      const times = await Promise.all([
        ...Array.from({ length: 30 }, () => failure(place.read())),
        ...Array.from({ length: 30 }, (_, index) => failure(place.open(100 + index))),
      ]);
      expect(place.database.backlog.pending).toBe(0);
      tell.time('longest of 60 requests:', Math.max(...times), LONGEST_MS);
      await place.proxy.restore();
      await tellServed(tell);
    },
  );

  proof(
    'a PostgreSQL that refuses connections is reported immediately, and is used again as soon as it accepts them',
    async (tell) => {
      await place.proxy.cut();
      for (const work of [place.read, () => place.open(2)]) tell.time('reported after', await failure(work()), 1000);
      await place.proxy.restore();
      await tellServed(tell);
    },
  );

  proof(
    'a commit without a response is reported as unavailable, and its follow-up work does not run',
    async ({ time }) => {
      const seen: string[] = [];
      const tookMs = await failure(
        place.database.write(SYSTEM_CALL, async (sql) => {
          sql.afterCommit(() => seen.push('never'));
          await sql.one('INSERT INTO stores (id, created_at, last_sequence) VALUES (2, 0, 0) RETURNING id', []);
          place.proxy.blackHole();
        }),
      );
      expect(seen).toEqual([]);
      time('reported after', tookMs, LONGEST_MS);
    },
  );

  proof('a locked row is reported as unavailable within 3 s, and the connection stays in use', async ({ time }) => {
    const lock = async (sql: Sql) => sql.one(`SELECT id FROM stores WHERE id = 1 ${sql.lockRows}`, []);
    await inTime(HELD_MS, async () => {
      const tookMs = await place.database.write(SYSTEM_CALL, async (sql) => {
        await lock(sql);
        return failure(place.database.write(SYSTEM_CALL, lock));
      });
      time('reported after', tookMs, 3000);
    });
    await place.open(2);
  });

  proof('a request waits at most two seconds for a free connection', async ({ time }) => {
    await inTime(HELD_MS, async () => {
      let taken = 0;
      const { promise: over, resolve: letGo } = Promise.withResolvers<void>();
      const holders = Promise.all(
        Array.from({ length: WRITERS }, () =>
          place.database.write(SYSTEM_CALL, async (sql) => {
            await sql.one('SELECT 1 AS one', []);
            taken += 1;
            await over;
          }),
        ),
      );
      try {
        await Promise.race([waitFor('all connections are taken', () => taken === WRITERS), holders]);
        const [tookMs, stores] = await Promise.all([failure(place.open(2)), place.read()]);
        expect(tookMs).toBeGreaterThanOrEqual(1900);
        expect(stores).toHaveLength(1);
        time('reported after', tookMs, 2400);
      } finally {
        letGo();
        await holders;
      }
    });
    expect(await place.stored()).toEqual([1]);
  });
});
