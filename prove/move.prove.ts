import { afterAll, describe, expect } from 'bun:test';
import { join } from 'node:path';
import { fillEveryTable } from '../test/every-table.ts';
import { createMoves, positionOf, readAll, sumsIn } from '../test/moves.ts';
import { createEmptyDatabase, POSTGRES_SERVER } from '../test/postgres-database.ts';
import { createWorkbench } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { startReceiver } from '../test/webhook-receiver.ts';
import { LONG, proof } from './proof.ts';
import { createSeeded, seedOfRun } from './seeded.ts';

const BATCHES = LONG ? 999 : 29;
const KILLS = LONG ? 10 : 4;
/**
 * Latest time of a random kill, in ms after the start of the move. Some kills come so early that the move is still
 * opening the databases.
 */
const LATEST_KILL_MS = LONG ? 10_000 : 500;
const MAX_MEMORY_MB = 400;

const bench = createWorkbench();
const receiver = startReceiver();
const drops: (() => Promise<void>)[] = [];
afterAll(async () => {
  await bench.clear();
  await receiver.down();
  for (const drop of drops) await drop();
});

const moves = createMoves(bench);
type Service = Awaited<ReturnType<typeof moves.serve>>;

const fill = async ({ origin, ask }: Service): Promise<void> => {
  await fillEveryTable(origin, receiver.url('/'));
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const pets = Array.from({ length: 1000 }, (_, index) => ({
      name: `Pet ${batch}-${index}`,
      categoryId: 1 + (index % 20),
    }));
    const { status, text } = await ask('/pets/batch', { method: 'POST', body: { pets } });
    if (status !== 201) throw new Error(text);
  }
};

/**
 * Reads pets until the returned function is called. That function returns the number of responses and the number of
 * failures.
 */
const keepReading = ({ ask }: Service) => {
  const seen = { answers: 0, failures: 0 };
  let isOver = false;
  const reading = (async () => {
    for (let id = 1; !isOver; id = 1 + (id % 1000)) {
      const { status } = await ask(`/pets?ids=${id}`).catch(() => ({ status: 0 }));
      seen[status === 200 ? 'answers' : 'failures'] += 1;
      await Bun.sleep(20);
    }
  })();
  return async () => {
    isOver = true;
    await reading;
    return seen;
  };
};

const { below } = createSeeded(seedOfRun());

const moveWithKills = async (from: string, to: string) => {
  const startedAt = performance.now();
  let partial = 0;
  for (let killed = 0; ; killed += 1) {
    const moving = moves.startMove(from, to);
    const { exited } = moving.child;
    // On a slow machine, all random kills may come before any row has been moved. One kill therefore waits until rows
    // have been moved.
    if (killed === 1) await Promise.race([exited, waitFor('rows have been moved', () => positionOf(to, 'events'))]);
    if (killed < KILLS) await Promise.race([exited, Bun.sleep(below(LATEST_KILL_MS))]);
    if (killed === KILLS || moving.child.exitCode !== null) {
      const { exitCode, err, out } = await moving.ended();
      expect([exitCode, err]).toEqual([0, '']);
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      const memoryMb = Math.round((moving.child.resourceUsage()?.maxRSS ?? 0) / 1e6);
      return { killed, partial, sums: sumsIn(out), seconds, memoryMb };
    }
    await moving.kill();
    // If the move was killed before it changed the target database, a service is still allowed to use that database.
    if ((await positionOf(to, '')) === undefined) continue;
    partial += 1;
    const { exitCode, err } = await moves.refusal(to);
    expect([exitCode, err]).toEqual([1, expect.stringContaining('has not finished')]);
  }
};

describe.skipIf(!POSTGRES_SERVER)('a move that is killed', () => {
  proof('every row arrives once, in both directions, and the old service answers reads', async ({ figure }) => {
    const { url: server, drop } = await createEmptyDatabase();
    drops.push(drop);
    const data = join(moves.directory, 'data');
    const places = [`sqlite:${data}/petstore.db`, server, `sqlite:${data}/back.db`] as const;
    const first = await moves.serve(places[0]);
    await fill(first);
    const stored = await readAll(first.ask);
    await first.stop();

    const compared: unknown[] = [];
    for (const [index, from] of places.slice(0, 2).entries()) {
      const to = places[index + 1] as string;
      const old = await moves.serve(from, { PETSTORE_READ_ONLY: 'true' });
      const stopReading = keepReading(old);
      const { killed, partial, sums, memoryMb, seconds } = await moveWithKills(from, to);
      const { answers, failures } = await stopReading();
      await old.stop();
      compared.push(sums);
      figure(
        `${from.replace(/:.*/, '')} to ${to.replace(/:.*/, '')}: killed ${killed} times, ${partial} of them in the middle; ` +
          `${seconds} s in all, at most ${memoryMb} MB; rows and checksums: pets ${sums.pets}, events ${sums.events}; ` +
          `${answers} reads answered meanwhile, ${failures} failed`,
      );
      expect(failures).toBe(0);
      expect(memoryMb).toBeLessThan(MAX_MEMORY_MB);
    }
    expect(compared[1]).toEqual(compared[0]);
    figure(
      `rows and checksums of ${Object.keys(compared[0] as object).length} tables are equal in all three databases`,
    );

    for (const place of places.slice(1)) {
      const service = await moves.serve(place);
      expect(await readAll(service.ask)).toEqual(stored);
      await service.stop();
    }
    figure('services on both new databases answer like the first one');
  });
});
