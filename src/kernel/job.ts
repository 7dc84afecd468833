import { Failure } from './failure.ts';
import { explainError, type Log } from './log.ts';

export type Job = { name: string; everyMs: number; run(): Promise<void> };

export const logJobFailure =
  (log: Log, job: string) =>
  (error: unknown): void => {
    if (error instanceof Failure && error.isLogged) return;
    log.error('job_failed', { job, error: explainError(error) });
  };

export const runJob = ({ name, run }: Job, log: Log): Promise<void> => run().catch(logJobFailure(log, name));
