import { expect, test } from 'bun:test';
import { createLog } from './log.ts';
import { startJobs } from './scheduler.ts';

const createCollectedLog = () => {
  const chunks: string[] = [];
  const log = createLog(
    'info',
    async (chunk) => {
      chunks.push(String(chunk));
    },
    () => 0,
  );
  return { log, lines: () => chunks.join('').trim().split('\n') };
};

test('a job runs repeatedly', async () => {
  const enough = Promise.withResolvers<void>();
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs === 3) enough.resolve();
  };
  const stop = startJobs([{ name: 'count', everyMs: 1, run }], createCollectedLog().log);
  await enough.promise;
  await stop();
  expect(runs).toBeGreaterThanOrEqual(3);
});

test('a job never overlaps with itself, and does not delay another', async () => {
  const slow = Promise.withResolvers<void>();
  const quick = Promise.withResolvers<void>();
  let slowRuns = 0;
  let quickRuns = 0;
  const jobs = [
    {
      name: 'slow',
      everyMs: 1,
      run: () => {
        slowRuns += 1;
        return slow.promise;
      },
    },
    {
      name: 'quick',
      everyMs: 1,
      run: async () => {
        quickRuns += 1;
        if (quickRuns === 10) quick.resolve();
      },
    },
  ];
  const stop = startJobs(jobs, createCollectedLog().log);
  await quick.promise;
  expect(slowRuns).toBe(1);
  slow.resolve();
  await stop();
});

test('a failed run is logged, and the next one still starts', async () => {
  const second = Promise.withResolvers<void>();
  const { log, lines } = createCollectedLog();
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs === 1) throw new Error('the disk is full');
    second.resolve();
  };
  const stop = startJobs([{ name: 'save', everyMs: 1, run }], log);
  await second.promise;
  await stop();
  await log.flush();
  expect(lines().map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', event: 'job_failed', job: 'save', error: 'Error: the disk is full' },
  ]);
});

test('stopping waits for the current run, and no other starts', async () => {
  const began = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  let runs = 0;
  const run = () => {
    runs += 1;
    began.resolve();
    return end.promise;
  };
  const stop = startJobs([{ name: 'save', everyMs: 1, run }], createCollectedLog().log);
  await began.promise;
  let stopped = false;
  const stopping = stop().then(() => {
    stopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).toBe(false);
  end.resolve();
  await stopping;
  expect(runs).toBe(1);
});
