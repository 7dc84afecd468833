import { copyFileSync } from 'node:fs';
import { createCallers } from './callers.ts';
import { createDisk, type Disk, LOSSES, type Loss } from './disk.ts';
import { createReceivers, type Receivers } from './receivers.ts';
import type { Simulation } from './simulation.ts';
import { openSoleProcess, type SoleProcess } from './sole-process.ts';
import type { Look } from './stored.ts';
import { calmDown, createLog, type Faults, finish, type Seen, storm } from './world.ts';

const REQUESTS = 30;
const MAX_GAP_MS = 1600;
/** Probability that one endpoint keeps failing after the faults end. Its retries then take several simulated days. */
const SHARE_OF_DEAD = 0.05;
/** After a pause or a clock change, a process may still act on its earlier decisions for this many ms. */
const EXCUSED_MS = 20_000;

const createLife = (simulation: Simulation, disk: Disk, receivers: () => Receivers) => {
  const { scheduler, between } = simulation;
  const log = createLog(simulation);
  let alive: SoleProcess | undefined;
  let starts = 0;
  let aheadMs = 0;
  let isStopping = false;

  const start = (): void => {
    starts += 1;
    const owner = scheduler.createOwner(`process ${starts}`, aheadMs);
    const open = (): void => {
      isStopping = false;
      alive = openSoleProcess(simulation, { disk, receivers: receivers(), owner, log });
    };
    scheduler.after(between(1, 500), 'a start', open, owner);
  };

  const leave = (): void => {
    if (!alive) return;
    scheduler.end(alive.owner);
    receivers().forget(alive.owner);
    alive.close();
    alive = undefined;
  };

  /** Ends the process. Its files are copied before they are closed, because closing them would run a checkpoint. */
  const die = (loss: Loss): void => {
    if (!alive) return;
    disk.lose(loss);
    leave();
    start();
  };

  return {
    alive: () => alive,
    start,
    die,
    leave,
    stop(): void {
      const stopped = alive;
      if (!stopped || isStopping) return;
      isStopping = true;
      const end = (): void => (alive === stopped ? die('none of it') : undefined);
      scheduler.after(0, 'a stop', () => void stopped.stop().then(end), stopped.owner);
    },
    setClock(byMs: number): void {
      aheadMs += byMs;
      if (alive) Object.assign(alive.owner, { aheadMs, disturbedAt: scheduler.now() });
    },
    holdUp(ms: number): void {
      const until = scheduler.now() + ms;
      if (alive) Object.assign(alive.owner, { frozenUntil: until, disturbedAt: until });
    },
  };
};

type Life = ReturnType<typeof createLife>;

const faultsOf = (simulation: Simulation, disk: Disk, life: Life, receivers: Receivers): Faults => {
  const { scheduler, seeded, between, chance, latencyMs } = simulation;
  const someLoss = (): Loss => seeded.one(LOSSES) ?? 'all of it';
  const failSync = (): void => {
    disk.setFailing(true);
    const end = (): void => (disk.hasFailed() ? life.die(someLoss()) : undefined);
    scheduler.after(between(0, 2000), 'the end after a failure', end, scheduler.outside);
  };
  const forceProgress = (): void => {
    const alive = life.alive();
    if (alive) scheduler.after(latencyMs(), 'a caller who waits', alive.forceProgress, alive.owner);
  };
  return {
    kill: { share: 3, act: () => life.die('none of it') },
    'power loss': { share: 4, act: () => life.die(someLoss()) },
    'sync fault injected': { share: 2, act: failSync },
    'clock changed': { share: 2, act: () => life.setClock(between(-5000, chance(0.2) ? 3_600_000 : 5000)) },
    'process paused': { share: 2, act: () => life.holdUp(between(10, 5000)) },
    'event loop blocked': { share: 2, act: forceProgress },
    stop: { share: 1, act: life.stop },
    'receivers change behaviour': { share: 5, act: receivers.changeMood },
  };
};

type Place = { directory: string; template: string };

export const runFileWorld = async (simulation: Simulation, { directory, template }: Place): Promise<Seen> => {
  const { scheduler, expect, chance } = simulation;
  const disk = createDisk(simulation, directory);
  copyFileSync(template, disk.file());
  const life = createLife(simulation, disk, () => receivers);
  const look = (): Look | undefined => life.alive()?.look;
  const callers = createCallers(simulation, {
    pick: life.alive,
    acknowledged(_, { token, ranAt }) {
      expect(!disk.hasFailed(), `${token} was acknowledged after a sync had failed`);
      expect(disk.hasSynced(ranAt), `${token} was acknowledged before it was on disk`);
    },
  });
  const receivers = createReceivers(simulation, {
    deliveryOf: (...names) => look()?.deliveryOf(...names),
    clock: scheduler.clockOf,
    toleranceMs: 0,
    // After a failed sync, other connections see commits that may be missing from the disk, so the checks do not apply.
    isExcused: ({ disturbedAt }) => disk.hasFailed() || scheduler.now() - disturbedAt < EXCUSED_MS,
  });

  life.start();
  const faults = faultsOf(simulation, disk, life, receivers);
  await storm(simulation, { faults, maxGapMs: MAX_GAP_MS, callers, requests: REQUESTS });
  receivers.calm(SHARE_OF_DEAD);
  disk.setFailing(false);
  if (disk.hasFailed() || chance(0.5)) life.die('all of it');
  await calmDown(simulation, {
    look: () => (life.alive()?.database.canWrite() ? look() : undefined),
    clock: () => scheduler.clockOf(life.alive()?.owner ?? scheduler.outside),
    idleMs: receivers.idleMs,
  });
  const seen = finish({ simulation, look: look(), callers, receivers });
  life.leave();
  disk.remove();
  return seen;
};
