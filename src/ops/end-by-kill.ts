import { libc } from './libc.ts';

const KILLED = 137;

const killSelf = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

const exitNow = (): void => {
  try {
    libc()._exit(KILLED);
  } catch {
    // `abort` makes the runtime report a crash, but closes no database file.
    process.abort();
  }
};

/**
 * On a normal exit, the runtime would close its database files, and closing the last connection writes to the file. The
 * process therefore kills itself. The first process of a container cannot do that, so it ends with `_exit`.
 */
export const endByKill = (kill = killSelf): void => {
  process.on('exit', () => {
    kill();
    exitNow();
  });
};
