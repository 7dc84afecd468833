import { Database } from 'bun:sqlite';
import { composeWebhooks } from '../../src/compose/jobs.ts';
import { bindRepositories, type Reads, type Repositories } from '../../src/compose/repositories.ts';
import type { Log } from '../../src/kernel/log.ts';
import { startJobs } from '../../src/ops/scheduler.ts';
import { createLocalKeyChanges } from '../../src/resources/keys/changes.ts';
import { openSqlite } from '../../src/storage/sqlite/database.ts';
import { OPEN } from '../../src/storage/sqlite/open.ts';
import { createLocalArrivals } from '../../src/streaming/arrivals.ts';
import { sequenceInTransaction } from '../../src/streaming/sequencer.sql.ts';
import type { Instance } from './callers.ts';
import type { Disk } from './disk.ts';
import type { Receivers } from './receivers.ts';
import type { Owner } from './scheduler.ts';
import type { Simulation } from './simulation.ts';
import { type Look, lookAt } from './stored.ts';
import { METRICS } from './world.ts';

export type SoleProcess = Instance & {
  look: Look;
  forceProgress(): void;
  stop(): Promise<void>;
  close(): void;
};

type Deps = { disk: Disk; receivers: Receivers; owner: Owner; log: Log };

/** Opens a connection that sees only data that has been synced to disk. `renew` must be called after each sync. */
const openBeside = (path: string) => {
  const file = new Database(path, { readonly: true });
  const end = (): void => {
    if (file.inTransaction) file.run('COMMIT');
  };
  const renew = (): void => {
    end();
    file.run('BEGIN');
    file.query('SELECT id FROM stores').get();
  };
  renew();
  return { file, renew, end };
};

export const openSoleProcess = (simulation: Simulation, { disk, receivers, owner, log }: Deps): SoleProcess => {
  const { scheduler, randomText } = simulation;
  const clock = () => scheduler.clockOf(owner);
  const arrivals = createLocalArrivals();
  const keyChanges = createLocalKeyChanges();
  const database = openSqlite<Reads, Repositories>({
    path: disk.file(),
    environment: 'production',
    bind: bindRepositories({ clock, randomText, keyChanges, sequencer: sequenceInTransaction(arrivals) }),
    backsUp: false,
    syncFile: disk.syncFile,
    syncFileNow: disk.syncFileNow,
  });
  const beside = openBeside(disk.file());
  disk.restart();
  disk.hear(beside.renew);
  const dispatcher = composeWebhooks({
    database,
    clock,
    trustedNow: clock,
    arrivals,
    keyChanges,
    isLeader: () => true,
    send: receivers.sendBy(owner),
    random: Math.random,
    log,
    metrics: METRICS,
  });
  const stopJobs = startJobs([{ name: 'send-webhooks', everyMs: 1000, run: async () => dispatcher.wake() }], log);
  return {
    owner,
    database,
    look: lookAt(beside.file),
    forceProgress: () => database.forceProgress?.(),
    async stop() {
      await Promise.all([stopJobs(), dispatcher.stop()]);
      disk.hear(beside.end);
      beside.end();
      await database.close();
    },
    close() {
      for (const connection of OPEN) connection.close();
      OPEN.clear();
      beside.file.close();
    },
  };
};
