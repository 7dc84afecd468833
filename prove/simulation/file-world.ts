import { Database } from 'bun:sqlite';
import { copyFileSync } from 'node:fs';
import { bindRepositories, type Reads, type Repositories } from '../../src/compose/repositories.ts';
import { composeWebhooks } from '../../src/compose/webhooks.ts';
import { openSqlite } from '../../src/database/sqlite.ts';
import { OPEN } from '../../src/database/sqlite.open.ts';
import { createLocalArrivals } from '../../src/events/arrivals.ts';
import { sequenceInTransaction } from '../../src/events/sequencer.sql.ts';
import { createLocalKeyChanges } from '../../src/kernel/key-changes.ts';
import { startJobs } from '../../src/process/scheduler.ts';
import { createCallers, type Instance } from './callers.ts';
import { createDisk, LOSSES, type Loss } from './disk.ts';
import { createReceivers } from './receivers.ts';
import type { Owner } from './scheduler.ts';
import type { Simulation } from './simulation.ts';
import { type Look, lookAt } from './stored.ts';
import { calmDown, createLog, type Faults, finish, METRICS, type Seen, storm } from './world.ts';

const REQUESTS = 30;
const MOST_GAP_MS = 1600;
/** In so many runs an endpoint fails to the last attempt, days later. */
const SHARE_OF_DEAD = 0.05;
/** So long after its clock was set, or it was held up, a process may do what it had decided before. */
const EXCUSED_MS = 20_000;

type Process = Instance & { stop(): Promise<void>; goOn(): void; close(): void };

type Place = { directory: string; template: string };

/** One process that owns a file: group commit, the numbers of events and the sender of webhooks, on a disk that fails. */
export const runFileWorld = async (simulation: Simulation, { directory, template }: Place): Promise<Seen> => {
  const { scheduler, seeded, between, latencyMs, randomText, expect, chance } = simulation;
  const disk = createDisk(simulation, directory);
  copyFileSync(template, disk.file());
  let look: Look;
  let alive: Process | undefined;
  const log = createLog(simulation);
  let starts = 0;
  let aheadMs = 0;

  const callers = createCallers(simulation, {
    pick: () => alive,
    acknowledged(_, { token, ranAt }) {
      expect(!disk.hasFailed(), `${token} was acknowledged after a sync had failed`);
      expect(disk.hasSynced(ranAt), `${token} was acknowledged before it was on disk`);
    },
  });
  const receivers = createReceivers(simulation, {
    deliveryOf: (...names) => look.deliveryOf(...names),
    clock: scheduler.clockOf,
    toleranceMs: 0,
    // After a failed sync what was committed is not what lasts.
    isExcused: ({ disturbedAt }) => disk.hasFailed() || scheduler.now() - disturbedAt < EXCUSED_MS,
  });

  const open = (owner: Owner): Process => {
    const clock = () => scheduler.clockOf(owner);
    const arrivals = createLocalArrivals();
    const database = openSqlite<Reads, Repositories>({
      path: disk.file(),
      environment: 'production',
      bind: bindRepositories({
        clock,
        randomText,
        keyChanges: createLocalKeyChanges(),
        sequencer: sequenceInTransaction(arrivals),
      }),
      backsUp: false,
      syncFile: disk.syncFile,
      syncFileNow: disk.syncFileNow,
    });
    disk.restart();
    const beside = new Database(disk.file(), { readonly: true });
    look = lookAt(beside);
    const send = receivers.sendBy(owner);
    const backend = { database, clock, holder: 'sole', lease: async () => true };
    const dispatcher = composeWebhooks({ ...backend, send, random: Math.random, log, metrics: METRICS });
    arrivals.subscribeToAll(dispatcher.wake);
    const wake = { name: 'send-webhooks', everyMs: 1000, run: async () => dispatcher.wake() };
    const stopJobs = startJobs([wake], log);
    return {
      owner,
      database,
      goOn: () => database.goOn?.(),
      close: () => beside.close(),
      async stop() {
        await Promise.all([stopJobs(), dispatcher.stop()]);
        await database.close();
      },
    };
  };

  const start = (): void => {
    starts += 1;
    const owner = scheduler.createOwner(`process ${starts}`, aheadMs);
    const opened = () => {
      alive = open(owner);
    };
    scheduler.after(between(1, 500), 'a start', opened, owner);
  };

  const leave = (dead: Process): void => {
    alive = undefined;
    scheduler.end(dead.owner);
    receivers.forget(dead.owner);
    for (const connection of OPEN) connection.close();
    OPEN.clear();
    dead.close();
  };

  /** It is gone with all it had begun. To close its files would bring its log to its place: they are taken before. */
  const die = (loss: Loss): void => {
    if (!alive) return;
    disk.lose(loss);
    leave(alive);
    start();
  };

  const stop = (): void => {
    const stopped = alive;
    if (!stopped) return;
    const end = (): void => {
      if (alive === stopped) die('none of it');
    };
    scheduler.after(0, 'a stop', () => void stopped.stop().then(end), stopped.owner);
  };

  const setClock = (byMs: number): void => {
    aheadMs += byMs;
    if (alive) Object.assign(alive.owner, { aheadMs, disturbedAt: scheduler.now() });
  };

  const faults: Faults = {
    kill: { share: 3, act: () => die('none of it') },
    'power loss': { share: 4, act: () => die(seeded.one(LOSSES) ?? 'all of it') },
    'sync to fail': {
      share: 2,
      act() {
        disk.fail();
        const loss = seeded.one(LOSSES) ?? 'all of it';
        scheduler.after(between(0, 2000), 'the end of it', () => disk.hasFailed() && die(loss), scheduler.outside);
      },
    },
    'clock set': { share: 2, act: () => setClock(between(-5000, chance(0.2) ? 3_600_000 : 5000)) },
    'process held up': {
      share: 2,
      act() {
        const until = scheduler.now() + between(10, 5000);
        if (alive) Object.assign(alive.owner, { frozenUntil: until, disturbedAt: until });
      },
    },
    'loop held up': {
      share: 2,
      act: () => alive && scheduler.after(latencyMs(), 'a caller who waits', alive.goOn, alive.owner),
    },
    stop: { share: 1, act: stop },
    'receivers change': { share: 5, act: receivers.changeMood },
  };

  start();
  await storm(simulation, { faults, mostGapMs: MOST_GAP_MS, callers, receivers, requests: REQUESTS });
  receivers.calm(SHARE_OF_DEAD);
  disk.mend();
  if (disk.hasFailed() || chance(0.5)) die('all of it');
  await calmDown(simulation, {
    look: () => look,
    clock: () => scheduler.clockOf(alive?.owner ?? scheduler.outside),
    isWhole: () => alive?.database.canWrite() === true,
    idleMs: receivers.idleMs,
  });
  const seen = finish({ simulation, look, callers, receivers });
  if (alive) leave(alive);
  disk.remove();
  return seen;
};
