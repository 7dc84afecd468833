import { readdirSync, readFileSync } from 'node:fs';

/** The microseconds that all threads of a process have run, by the kernel's own clock: other processes do not lengthen them. */
export const processorUsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    try {
      const [ran = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      return sum + Number(ran) / 1000;
    } catch {
      // The thread has ended since the folder was read.
      return sum;
    }
  }, 0);

/** The microseconds that the main thread of a process has run, to within a tick of the scheduler. */
export const mainThreadUsOf = (pid: number): number => {
  const [ran = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(ran) / 1000;
};
