import { libc } from './libc.ts';

const KILLED = 137;

/**
 * On a normal exit, the runtime closes the database files, and closing the files writes to them. To prevent these
 * writes, the process kills itself. The first process in a container cannot kill itself, so it ends with `_exit`
 * instead.
 */
export const endByKill = (kill = (): void => void process.kill(process.pid, 'SIGKILL')): void => {
  process.on('exit', () => {
    kill();
    try {
      libc()._exit(KILLED);
    } catch {
      // `abort` makes the exit look like a crash, but it does not close the database files.
      process.abort();
    }
  });
};
