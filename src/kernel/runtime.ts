/** Monotonic milliseconds, for durations: unlike a clock, it is never set. */
export type Elapsed = () => number;

export const elapsed: Elapsed = () => performance.now();

/** Processor time of this process: unlike elapsed time, it does not grow while a remote database works. */
export const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Resolves in the next turn of the event loop, after requests that have arrived. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
