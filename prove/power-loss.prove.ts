import { afterAll, describe, expect } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildLibrary } from '../bench/slow-sync.ts';
import { createWorkbench } from '../test/program.ts';
import { makeRunDirectory } from '../test/run-directory.ts';
import { createLedger } from './power-loss/ledger.ts';
import { recordService } from './power-loss/record.ts';
import { createRecordedDisk } from './power-loss/recorded-disk.ts';
import type { Entry } from './power-loss/recording.ts';
import { replay, type State } from './power-loss/replay.ts';
import { loseAgain } from './power-loss/second-loss.ts';
import { LONG, proof } from './proof.ts';
import { createSeeded, seedOfRun } from './seeded.ts';

const SIZES = {
  long: { points: 10_000, turns: 300, starts: 50, pointsOfStart: 100, maxMs: Number.POSITIVE_INFINITY },
  short: { points: 1000, turns: 120, starts: 4, pointsOfStart: 25, maxMs: 240_000 },
  brief: { points: 150, turns: 40, starts: 1, pointsOfStart: 25, maxMs: 240_000 },
};
const SIZE = SIZES[process.env.PROVE_BRIEF === 'true' ? 'brief' : LONG ? 'long' : 'short'];
const POINTS_PER_PASS = 200;

const bench = createWorkbench();
const memory = makeRunDirectory();
const folder = join(memory, 'state');
afterAll(async () => {
  await bench.clear();
  rmSync(memory, { recursive: true });
});
const library = await buildLibrary(bench.directory(), join(import.meta.dir, 'power-loss', 'disk-recorder.c'));
const seed = seedOfRun();

let recorded: ReturnType<typeof recordService> | undefined;
const record = () => {
  recorded ??= recordService({ bench, library: library as string, turns: SIZE.turns, seed });
  return recorded;
};

const tellRecording = (entries: readonly Entry[], acknowledged: number): string => {
  const checkpoints = entries.filter(({ kind, name }) => kind === 'sync ended' && name.endsWith('.db')).length;
  const starts = entries.filter(
    ({ kind, name, number }) => kind === 'written' && name.endsWith('-wal') && number === 0,
  );
  return `${acknowledged} requests acknowledged, ${checkpoints} checkpoints, the log restarted ${starts.length} times`;
};

/** In each case, the simulated disk falsely claims to have synced these files. The proof must detect every case. */
const LIES: Record<string, (name: string) => boolean> = {
  'the log': (name) => name.endsWith('-wal'),
  'the file at checkpoints': (name) => name.endsWith('.db'),
  'the directory entries': (name) => name === '',
};

describe.skipIf(!library)('a recorded disk', () => {
  proof(
    `power loss at any of ${SIZE.points} points, with unsynced writes dropped, torn and reordered, loses no acknowledged write and leaves the file intact`,
    async ({ figure, open }) => {
      const { entries, done, left } = await record();
      const [random, startedAt] = [createSeeded(seed), performance.now()];
      let seen = 0;
      while (seen === 0 || (seen < SIZE.points && performance.now() - startedAt < SIZE.maxMs)) {
        const [ledger, disk] = [createLedger(done), createRecordedDisk()];
        const points = Math.min(SIZE.points - seen, POINTS_PER_PASS);
        const { lost, wrong } = replay({ entries, ledger, disk, points, random, folder });
        expect({ seed, seen, wrong }).toEqual({ seed, seen, wrong: [] });
        seen += lost;
        expect(ledger.acknowledged()).toBe(done.length);
        // If the files rebuilt from the recording differ from the real files, the recorder has missed a disk operation.
        expect(disk.read()).toEqual(left);
      }
      figure(`0 of ${seen} states wrong, seed ${seed}`);
      figure(tellRecording(entries, done.length));
      if (seen < SIZE.points) open(`the machine reached ${seen} points in ${SIZE.maxMs / 60_000} minutes`);
    },
  );

  proof('a second power loss during startup: nothing is lost, and no id is reused', async ({ figure }) => {
    const { entries, done } = await record();
    const [ledger, disk, random] = [createLedger(done), createRecordedDisk(), createSeeded(~seed)];
    const states: { state: State; highest: ReturnType<typeof ledger.highest> }[] = [];
    const saw = (state: State) => states.push({ state, highest: { ...ledger.highest() } });
    const { wrong } = replay({ entries, ledger, disk, points: SIZE.starts, random, folder, saw });
    let seen = 0;
    for (const each of states) {
      const how = { bench, library: library as string, points: SIZE.pointsOfStart, random, folder };
      const again = await loseAgain({ ...each, ...how });
      wrong.push(...again.wrong);
      seen += again.lost;
    }
    figure(`${wrong.length} of ${seen} states wrong after ${states.length} starts, seed ${seed}`);
    expect(wrong).toEqual([]);
    expect(seen).toBe(SIZE.starts * SIZE.pointsOfStart);
  });

  for (const [what, isLying] of Object.entries(LIES)) {
    proof(
      `the test finds damage after a power loss if the disk only claims to have synced ${what}`,
      async ({ figure }) => {
        const { entries, done } = await record();
        const [ledger, disk] = [createLedger(done), createRecordedDisk({ isLying })];
        const { lost, wrong } = replay({ entries, ledger, disk, points: 200, random: createSeeded(seed), folder });
        figure(`${wrong.length} of ${lost} states wrong`);
        expect(wrong.length).toBeGreaterThan(0);
      },
    );
  }
});
