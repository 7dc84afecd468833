import { readdirSync, readFileSync } from 'node:fs';

export const processorUsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    try {
      const [ran = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      return sum + Number(ran) / 1000;
    } catch {
      return sum;
    }
  }, 0);

export const mainThreadUsOf = (pid: number): number => {
  const [ran = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(ran) / 1000;
};
