import { readdirSync, readFileSync } from 'node:fs';

/** Processor microseconds of all threads of a process, by the kernel's clock: other processes do not lengthen them. */
export const processorUsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    try {
      const [ran = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      return sum + Number(ran) / 1000;
    } catch {
      // The thread ended after the folder was read.
      return sum;
    }
  }, 0);

/** Processor microseconds of a process's main thread, to within a tick of the scheduler. */
export const mainThreadUsOf = (pid: number): number => {
  const [ran = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(ran) / 1000;
};
