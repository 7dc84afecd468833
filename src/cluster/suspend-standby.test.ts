import { expect, test } from 'bun:test';
import { createSuspension } from './suspend-standby.ts';

const setUp = () => {
  let now = 0;
  const steps: string[] = [];
  const suspend = createSuspension({
    elapsed: () => now,
    pause: async (ms) => {
      steps.push(`pause ${ms}`);
      now += ms;
    },
    save: async (forMs) => {
      steps.push(`save ${forMs}`);
    },
  });
  return { suspend, steps, pass: (ms: number) => (now += ms) };
};

test('a suspension waits until every instance has noticed it, and concurrent writes share one suspension', async () => {
  const { suspend, steps } = setUp();
  await Promise.all([suspend(), suspend(), suspend()]);
  await suspend();
  expect(steps).toEqual(['save 30000', 'pause 700']);
});

test('a suspension is renewed halfway through without a wait, because all instances know the earlier one', async () => {
  const { suspend, steps, pass } = setUp();
  await suspend();
  pass(14_000);
  await suspend();
  expect(steps).toHaveLength(2);
  pass(1000);
  await suspend();
  expect(steps.slice(2)).toEqual(['save 30000']);
});

test('a renewal shortly before the end of a suspension waits again', async () => {
  const { suspend, steps, pass } = setUp();
  await suspend();
  pass(20_000);
  await suspend();
  expect(steps.slice(2)).toEqual(['save 30000', 'pause 700']);
});

test('a renewal that takes too long waits again, because the earlier suspension may have ended', async () => {
  let now = 0;
  const paused: number[] = [];
  const pause = async (ms: number) => void paused.push(ms);
  const save = async () => {
    now += 8000;
  };
  const suspend = createSuspension({ elapsed: () => now, pause, save });
  await suspend();
  now += 8000;
  await suspend();
  expect(paused).toEqual([700, 700]);
});

test('a suspension that could not be saved is retried by the next write', async () => {
  let failures = 1;
  const save = async () => {
    failures -= 1;
    if (failures === 0) throw new Error('no database');
  };
  const suspend = createSuspension({ elapsed: () => 0, pause: async () => undefined, save });
  await suspend().then(
    () => expect.unreachable(),
    (error) => expect(error.message).toBe('no database'),
  );
  await suspend();
  expect(failures).toBe(-1);
});
