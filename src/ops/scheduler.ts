import { type Job, runJob } from '../kernel/job.ts';
import type { Log } from '../kernel/log.ts';

export const startJobs = (jobs: readonly Job[], log: Log) => {
  const running = new Map<string, Promise<void>>();
  const timers = jobs.map((job) =>
    setInterval(() => {
      if (running.has(job.name)) return;
      const ended = runJob(job, log).finally(() => running.delete(job.name));
      running.set(job.name, ended);
    }, job.everyMs),
  );
  return async (): Promise<void> => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running.values());
  };
};
