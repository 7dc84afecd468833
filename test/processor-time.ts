/** Processor time does not depend on other processes, unlike elapsed time. */
export const processorMs = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
};
