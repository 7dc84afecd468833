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
 * Makes the process end with SIGKILL, no matter how it exits. On any other exit, the runtime closes its database files,
 * and closing the last connection to a database writes to its file. The first process of a container cannot kill
 * itself, so it ends with `_exit`.
 */
export const endByKill = (kill = killSelf): void => {
  process.on('exit', () => {
    kill();
    exitNow();
  });
};
