/** Returns the processor time of `work`, in ms. Unlike elapsed time, it does not depend on other processes. */
export const processorMs = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
};
