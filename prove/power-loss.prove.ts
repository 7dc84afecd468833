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
import { seedOfRun } from './seeded.ts';

/** A weakened build is caught by fewer. */
const POINTS = Number(process.env.PROVE_POINTS) || (LONG ? 10_000 : 1000);
const TURNS = LONG ? 300 : 120;
const STARTS = LONG ? 50 : 4;
const POINTS_OF_START = LONG ? 100 : 25;

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
/** One run of the service, which all proofs look at. */
const record = () => {
  recorded ??= recordService({ bench, library: library as string, turns: TURNS, seed });
  return recorded;
};

const count = (entries: readonly Entry[], kind: Entry['kind'], isCounted: (entry: Entry) => boolean): number =>
  entries.filter((entry) => entry.kind === kind && isCounted(entry)).length;

/** Of which files a disk says that they are synced, and does nothing. */
const LIES: Record<string, (name: string) => boolean> = {
  'the log': (name) => name.endsWith('-wal'),
  'the file, at checkpoints': (name) => name.endsWith('.db'),
  'the names in the folder': (name) => name === '',
};

describe.skipIf(!library)('a recorded disk', () => {
  proof(
    `a loss of power at any of ${POINTS} points, with what was not synced dropped, torn and in any order, loses nothing that was acknowledged, and leaves the file whole`,
    async ({ figure }) => {
      const { entries, done, left } = await record();
      const [ledger, disk] = [createLedger(done), createRecordedDisk()];
      const { lost, wrong } = replay({ entries, ledger, disk, points: POINTS, seed, folder });
      figure(`${wrong.length} of ${lost} states wrong, seed ${seed}`);
      const checkpoints = count(entries, 'sync ended', ({ name }) => name.endsWith('.db'));
      const restarts = count(entries, 'written', ({ name, number }) => name.endsWith('-wal') && number === 0);
      figure(
        `${ledger.acknowledged()} requests acknowledged, ${checkpoints} checkpoints, the log started anew ${restarts} times`,
      );
      expect(wrong).toEqual([]);
      expect([lost, ledger.acknowledged()]).toEqual([POINTS, done.length]);
      // A call that is not in the recording would show here.
      expect(disk.read()).toEqual(left);
    },
  );

  proof(
    'the program starts after a loss of power, and meets another meanwhile: nothing is lost, and no id comes again',
    async ({ figure }) => {
      const { entries, done } = await record();
      const ledger = createLedger(done);
      const states: { state: State; highest: { pets: number; orders: number } }[] = [];
      const saw = (state: State) => states.push({ state, highest: { ...ledger.highest() } });
      const first = replay({
        entries,
        ledger,
        disk: createRecordedDisk(),
        points: STARTS,
        seed: seed + 1,
        folder,
        saw,
      });
      const seen = { lost: 0, wrong: first.wrong };
      for (const each of states) {
        const again = await loseAgain({
          ...each,
          bench,
          library: library as string,
          points: POINTS_OF_START,
          seed,
          folder,
        });
        seen.lost += again.lost;
        seen.wrong.push(...again.wrong);
      }
      figure(`${seen.wrong.length} of ${seen.lost} states wrong after ${states.length} starts, seed ${seed}`);
      expect(seen.wrong).toEqual([]);
      expect(seen.lost).toBe(STARTS * POINTS_OF_START);
    },
  );

  for (const [what, isLying] of Object.entries(LIES)) {
    proof(`a loss of power is seen to do harm if the disk only says that it has synced ${what}`, async ({ figure }) => {
      const { entries, done } = await record();
      const disk = createRecordedDisk({ isLying });
      const { lost, wrong } = replay({ entries, ledger: createLedger(done), disk, points: 200, seed, folder });
      figure(`${wrong.length} of ${lost} states wrong`);
      expect(wrong.length).toBeGreaterThan(0);
    });
  }
});
