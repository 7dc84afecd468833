import { afterAll, describe, expect, test } from 'bun:test';
import { failAtEverySync } from '../../../test/power-failure.ts';
import { createWorkbench } from '../../../test/program.ts';

const bench = createWorkbench();
afterAll(bench.clear);

describe('a power failure', () => {
  test('loses no acknowledged write', async () => {
    const seen = await failAtEverySync({ directory: bench.directory(), writes: 50, logs: 4 });
    expect([seen.lost, seen.corrupt]).toEqual([0, 0]);
    expect(seen.points).toBeGreaterThanOrEqual(49);
  });

  test('loses no write that was acknowledged while the event loop was blocked', async () => {
    const seen = await failAtEverySync({ directory: bench.directory(), writes: 50, isHeldUp: true });
    expect([seen.lost, seen.corrupt]).toEqual([0, 0]);
    expect(seen.points).toBeGreaterThanOrEqual(49);
  });

  test('loses writes if synchronous syncs do not wait for the disk, and this test detects the loss', async () => {
    const { lost } = await failAtEverySync({
      directory: bench.directory(),
      writes: 50,
      isLying: true,
      isHeldUp: true,
    });
    expect(lost).toBeGreaterThan(0);
  });

  test('loses writes if answers do not wait for the disk, and this test detects the loss', async () => {
    const { lost } = await failAtEverySync({ directory: bench.directory(), writes: 50, isLying: true });
    expect(lost).toBeGreaterThan(0);
  });
});
