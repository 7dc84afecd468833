/** Processor time of some work. Unlike elapsed time, other processes do not affect it. */
export const processorMs = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
};
