import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN_KEY } from '../../test/admin-key.ts';
import type { createWorkbench } from '../../test/program.ts';
import { waitFor } from '../../test/wait-for.ts';
import { type Done, runCaller } from './callers.ts';
import type { Files } from './recorded-disk.ts';
import { readRecording } from './recording.ts';

const SERVICE = join(import.meta.dir, 'service.program.ts');
const CALLERS = 12;
/** Duration of a sync, in µs. As on a real disk, other threads have time to write during a sync. */
const SYNC_MICROS = 1000;
/**
 * A checkpoint runs when the WAL has this many pages. The number is much lower than the default of several thousand, so
 * that SQLite often reuses the WAL.
 */
const CHECKPOINT_PAGES = 60;
const ENDS = ['kill', 'stop', 'kill'] as const;

type Bench = ReturnType<typeof createWorkbench>;

export const startRecorded = (bench: Bench, library: string, directory: string, command: readonly string[]) => {
  const [recording, killedBy] = [join(directory, 'recording'), join(directory, 'killed')];
  rmSync(killedBy, { force: true });
  const program = bench.start({
    directory,
    command,
    environment: {
      LD_PRELOAD: library,
      DISK_RECORDING: recording,
      RECORDED_FOLDER: join(directory, 'data'),
      KILLED_BY: killedBy,
      SYNC_MICROS: String(SYNC_MICROS),
      PETSTORE_ADMIN_KEY: ADMIN_KEY,
    },
  });
  return {
    origin: program.origin(),
    kill: () => {
      writeFileSync(killedBy, '');
      return program.ended();
    },
    stop: () => {
      program.signal('SIGTERM');
      return program.ended();
    },
    entries: () => readRecording(recording),
  };
};

const readFolder = (folder: string): Files =>
  new Map(
    readdirSync(folder)
      .filter((name) => !name.endsWith('-shm'))
      .map((name) => [name, readFileSync(join(folder, name))]),
  );

type Options = { bench: Bench; library: string; turns: number; seed: number };

export const recordService = async ({ bench, library, turns, seed }: Options) => {
  const directory = bench.directory();
  const folder = join(directory, 'data');
  mkdirSync(folder);
  const start = () => startRecorded(bench, library, directory, [process.execPath, SERVICE, String(CHECKPOINT_PAGES)]);
  let running = start();
  await running.origin;

  const done: Done[] = [];
  const note = (each: Done): void => void done.push(each);
  const callers = Promise.all(
    Array.from({ length: CALLERS }, (_, caller) =>
      runCaller({ caller, turns, seed, origin: () => running.origin, note }),
    ),
  );
  const between = (turns * CALLERS) / 2 / (ENDS.length + 1);
  for (const [index, end] of ENDS.entries()) {
    await Promise.race([waitFor('more are answered', () => done.length >= (index + 1) * between), callers]);
    await running[end]();
    running = start();
    await running.origin;
  }
  await callers;
  await running.stop();
  return { entries: running.entries(), done, left: readFolder(folder) };
};
