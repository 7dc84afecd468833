import { bindStores, type Reads, type Stores } from './bind-stores.ts';
import { openPostgres } from './database/postgres.ts';
import type { Sql } from './database/sql.ts';
import { createLocalArrivals } from './events/arrivals.ts';
import { createNumberer } from './events/numberer.memory.ts';
import { numberAfterCommit } from './events/numbering.sql.ts';
import type { Numbering } from './events/numbering.ts';
import type { Ground, GroundDeps } from './ground.ts';
import { INSTANCE } from './instances/instance.ts';
import { leasesOnSql } from './instances/leases.store.sql.ts';
import type { LeaseStore } from './instances/leases.store.ts';
import { newsOnSql } from './instances/news.store.sql.ts';
import type { NewsStore } from './instances/news.store.ts';
import { BEAT_MS, createPulse } from './instances/pulse.ts';
import { LEASE_MS, takeTurns } from './instances/take-turns.ts';
import { systemClock } from './kernel/clock.ts';
import { createLocalKeyChanges } from './kernel/key-changes.ts';
import { type Call, FIRST_STORE, OWN_CALL } from './kernel/operation.ts';
import { explainError } from './log.ts';

/** A lease that nobody has taken for so long is of an instance that is gone. */
const FORGOTTEN_MS = 60_000;

type SharedReads = Reads & { news: NewsStore; numbering: Numbering };
type SharedStores = Stores & SharedReads & { leases: LeaseStore };

/** For one of any number of instances that share a PostgreSQL database. */
export const openShared = async (url: string, deps: GroundDeps): Promise<Ground> => {
  const { environment, randomText, log, countsTogether } = deps;
  const holder = randomText(16);
  const keyChanges = createLocalKeyChanges();
  const arrivals = createLocalArrivals();

  const number = createNumberer({
    number: (storeId) => database.read(storeId).numbering.settle(storeId),
    numbered: arrivals.announce,
    failed: (error) => log.warn('numbering_failed', { error: explainError(error) }),
  });
  const clock = () => (deps.clock ?? pulse.clock)();
  const bindAll = bindStores({ clock, randomText, keyChanges, numbering: numberAfterCommit(number) });
  const bind = (sql: Sql, call: Call): SharedStores => ({
    ...bindAll(sql, call),
    leases: leasesOnSql(sql),
    news: newsOnSql(sql),
  });
  const database = await openPostgres<SharedReads, SharedStores>({ url, environment, bind });

  let isWarned = false;
  const pulse = createPulse({
    read: (mark) => database.read(FIRST_STORE).news.since(mark),
    clock: systemClock,
    stopwatch: () => performance.now(),
    hear({ keyIds, storeIds, instances }) {
      for (const keyId of keyIds) keyChanges.publish(keyId);
      for (const storeId of storeIds) arrivals.announce(storeId);
      if (countsTogether || isWarned || instances < 2) return;
      isWarned = true;
      log.warn('limits_per_instance', {
        instances,
        advice: 'several instances serve, and each holds the limits alone; set REDIS_URL',
      });
    },
  });
  const giveUp = async (error: unknown): Promise<never> => {
    await database.close();
    throw error;
  };
  await pulse.beat().catch(giveUp);

  const showInstance = () =>
    database.write(OWN_CALL, async ({ leases }) => {
      await leases.take(`${INSTANCE}${holder}`, holder, clock(), clock() + LEASE_MS);
      await leases.forget(clock() - FORGOTTEN_MS);
    });
  const onOneInstance = takeTurns({ holder, now: clock, write: (body) => database.write(OWN_CALL, body) });

  return {
    database,
    clock,
    keyChanges: { ...keyChanges, isCurrent: pulse.isCurrent },
    arrivals,
    holder,
    onOneInstance,
    workers: [
      { name: 'hear-news', everyMs: BEAT_MS, run: pulse.beat },
      { name: 'show-instance', everyMs: 1000, run: showInstance },
      // What an instance has committed and not numbered before it died.
      onOneInstance({
        name: 'number-events',
        everyMs: 1000,
        run: () => database.read(FIRST_STORE).numbering.settle(),
      }),
    ],
    async close() {
      // The others take the work over at once; if this fails they do so a little later.
      await database.write(OWN_CALL, ({ leases }) => leases.giveBack(holder)).catch(() => undefined);
      await database.close();
    },
  };
};
