/** How long the processor works on something: what other processes do does not lengthen it, as it lengthens the time. */
export const processorMs = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
};
