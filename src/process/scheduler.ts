import { explainError, type Log } from '../kernel/log.ts';

/** Something done again and again in the background. A run that fails is logged, and the next one tries again. */
export type Job = { name: string; everyMs: number; run(): Promise<void> };

/** Starts the jobs; none overlaps with itself. Returns how to end them: a run under way is waited for. */
export const startJobs = (jobs: readonly Job[], log: Log) => {
  const running = new Map<string, Promise<void>>();
  const timers = jobs.map(({ name, everyMs, run }) =>
    setInterval(() => {
      if (running.has(name)) return;
      const ended = run()
        .catch((error) => log.error('job_failed', { job: name, error: explainError(error) }))
        .finally(() => running.delete(name));
      running.set(name, ended);
    }, everyMs),
  );
  return async (): Promise<void> => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running.values());
  };
};
