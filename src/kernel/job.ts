import { Failure } from './failure.ts';
import { explainError, type Log } from './log.ts';

/** Something done again and again in the background. */
export type Job = { name: string; everyMs: number; run(): Promise<void> };

export const logJobFailure =
  (log: Log, job: string) =>
  (error: unknown): void => {
    if (error instanceof Failure && error.isLogged) return;
    log.error('job_failed', { job, error: explainError(error) });
  };

/** Runs a job once. A run that fails is logged, and the next one tries again. */
export const runJob = ({ name, run }: Job, log: Log): Promise<void> => run().catch(logJobFailure(log, name));
