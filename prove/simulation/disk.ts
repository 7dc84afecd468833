import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SyncFile, SyncFileNow } from '../../src/storage/sqlite/sync.ts';
import { SIMULATED, type Simulation } from './simulation.ts';

const SECTOR_BYTES = 512;
/**
 * Size of the WAL's header, in bytes. A power loss never removes the header, because SQLite syncs the header before it
 * writes any frame.
 */
const HEADER_BYTES = 32;

export type Loss = 'none of it' | 'all of it' | 'its beginning' | 'some sectors';
export const LOSSES: readonly Loss[] = ['none of it', 'all of it', 'its beginning', 'some sectors'];

const leave = ({ seeded, chance }: Simulation, log: Uint8Array, durableBytes: number, loss: Loss): Uint8Array => {
  const kept = Math.max(durableBytes, Math.min(HEADER_BYTES, log.length));
  if (loss === 'none of it') return log;
  if (loss === 'all of it') return log.subarray(0, kept);
  if (loss === 'its beginning') return log.subarray(0, kept + seeded.below(log.length - kept + 1));
  const left = Uint8Array.from(log);
  for (let at = kept; at < left.length; at += SECTOR_BYTES) if (chance(0.5)) left.fill(0, at, at + SECTOR_BYTES);
  return left;
};

export const createDisk = (simulation: Simulation, directory: string) => {
  const { scheduler, latencyMs, count } = simulation;
  let place = mkdtempSync(join(directory, 'place-'));
  let syncsBegunAt: number[] = [];
  let durableBytes = 0;
  let failsNext = false;
  let hasFailed = false;
  let lasts = (): void => undefined;

  const file = (): string => join(place, 'petstore.db');
  const logBytes = (): number => statSync(`${file()}-wal`, { throwIfNoEntry: false })?.size ?? 0;

  const fail = (): never => {
    failsNext = false;
    hasFailed = true;
    count('sync failed');
    throw new Error(`EIO: a sync has failed (${SIMULATED})`);
  };
  const note = (begunAt: number, bytes: number): void => {
    // Once a sync has failed, the earlier writes may be missing from the disk, even if a later sync succeeds.
    if (hasFailed) return;
    durableBytes = Math.max(durableBytes, bytes);
    syncsBegunAt.push(begunAt);
    lasts();
  };

  const syncFile: SyncFile = () => {
    const [begunAt, bytes] = [scheduler.steps(), logBytes()];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    scheduler.after(latencyMs(), 'a sync', () => {
      try {
        if (failsNext) fail();
        note(begunAt, bytes);
        resolve();
      } catch (error) {
        reject(error);
      }
    });
    return promise;
  };
  const syncFileNow: SyncFileNow = () => (failsNext ? fail() : note(scheduler.steps(), logBytes()));

  return {
    file,
    syncFile,
    syncFileNow,
    setFailing: (isFailing: boolean): void => {
      failsNext = isFailing;
    },
    hasFailed: (): boolean => hasFailed,
    hasSynced: (since: number): boolean => syncsBegunAt.some((at) => at >= since),

    lose(loss: Loss): void {
      const log = logBytes() > 0 ? leave(simulation, readFileSync(`${file()}-wal`), durableBytes, loss) : undefined;
      const before = place;
      place = mkdtempSync(join(directory, 'place-'));
      copyFileSync(join(before, 'petstore.db'), file());
      if (log && log.length > 0) writeFileSync(`${file()}-wal`, log);
      rmSync(before, { recursive: true });
      this.restart();
    },
    remove: (): void => rmSync(place, { recursive: true }),
    /**
     * A new process copies the WAL to the database file and starts an empty WAL, so syncs before the restart no longer
     * matter.
     */
    restart(): void {
      [durableBytes, syncsBegunAt, failsNext, hasFailed] = [0, [], false, false];
    },
    hear(listener: () => void): void {
      lasts = listener;
    },
  };
};

export type Disk = ReturnType<typeof createDisk>;
