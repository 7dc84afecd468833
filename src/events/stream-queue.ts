type Job<Result> = PromiseWithResolvers<Result> & { read(): Promise<Result> };

const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * The reads of all streams, one in each turn of the event loop: however many streams have much to catch up on, requests
 * are answered in between. Stores take turns, and those who ask for the same before it is read are told together.
 */
export const createStreamQueue = <Result>() => {
  /** By store, the one whose turn it is first; in each the jobs by what they ask for, the oldest first. */
  const stores = new Map<bigint, Map<string, Job<Result>>>();
  let isRunning = false;

  const nextJob = (): Job<Result> | undefined => {
    for (const [storeId, jobs] of stores) {
      stores.delete(storeId);
      for (const [question, job] of jobs) {
        jobs.delete(question);
        if (jobs.size > 0) stores.set(storeId, jobs);
        return job;
      }
    }
    return undefined;
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    while (stores.size > 0) {
      await turnOfTheLoop();
      const job = nextJob();
      await job?.read().then(job.resolve, job.reject);
    }
    isRunning = false;
  };

  return {
    /** `question` names everything on which the answer depends, except for the store. */
    read(storeId: bigint, question: string, read: () => Promise<Result>): Promise<Result> {
      const jobs = stores.get(storeId) ?? new Map<string, Job<Result>>();
      const job = jobs.get(question) ?? { ...Promise.withResolvers<Result>(), read };
      stores.set(storeId, jobs.set(question, job));
      if (!isRunning) void run();
      return job.promise;
    },
  };
};
