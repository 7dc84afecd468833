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
