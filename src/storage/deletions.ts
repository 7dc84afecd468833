import type { Job } from '../kernel/job.ts';
import type { Log } from '../kernel/log.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type TrustedClock } from '../kernel/runtime.ts';
import { formatInstant } from '../kernel/schema.ts';

// If the clock is further ahead of the newest usage record than this, nothing is deleted: the clock may be wrong.
const FURTHEST_AHEAD_MS = 7 * DAY_MS;

// Usage records younger than this are ignored: if the clock was set wrong only recently, their times are wrong, too.
const SETTLED_MS = DAY_MS;

/** How many rows one transaction deletes. Requests wait for the transaction, so it must be short. */
const BATCH = 1000;

type Deps = {
  leaderOnly(job: Job): Job;
  trustedNow: TrustedClock;
  newestHour(until: number): Promise<number | undefined>;
  log: Log;
};

type Deletion = { name: string; keptMs: number; remove(before: number): Promise<number> };

export const inBatches = async (changeSome: (most: number) => Promise<number>): Promise<number> => {
  let count = 0;
  for (let changed = BATCH; changed === BATCH; count += changed) changed = await changeSome(BATCH);
  return count;
};

/** No job deletes anything while the clock may be wrong (see "Time" in docs/operating/troubleshoot.md). */
export const createDeletions = ({ leaderOnly, trustedNow, newestHour, log }: Deps) => {
  let isStopped = false;

  const findNow = async (): Promise<number | undefined> => {
    const now = trustedNow();
    if (now === undefined) return undefined;
    const newest = await newestHour(now - SETTLED_MS);
    // If no usage record is at least a day old, the service is new, and nothing is old enough to be deleted.
    if (newest === undefined) return undefined;
    const wasStopped = isStopped;
    isStopped = now - newest > FURTHEST_AHEAD_MS;
    const seen = { clock: formatInstant(now), newest: formatInstant(newest) };
    if (isStopped && !wasStopped)
      log.warn('deletion_stopped', {
        ...seen,
        advice:
          'the clock is more than 7 days ahead of the stored data, so old data is not deleted; check the clock; if it is right, deletion resumes after the service has been used for a day',
      });
    if (wasStopped && !isStopped) log.info('deletion_resumed', seen);
    return isStopped ? undefined : now;
  };

  return ({ name, keptMs, remove }: Deletion): Job => {
    let quietSince = Number.NEGATIVE_INFINITY;
    const run = async (): Promise<void> => {
      const now = await findNow();
      if (now === undefined) return;
      const before = now - keptMs;
      const count = await remove(before);
      if (count === 0 && now - quietSince < HOUR_MS) return;
      quietSince = now;
      log.info('rows_deleted', { job: name, count, before: formatInstant(before) });
    };
    return leaderOnly({ name, everyMs: MINUTE_MS, run });
  };
};
