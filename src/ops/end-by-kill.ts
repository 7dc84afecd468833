import { libc } from './libc.ts';

/** The exit code that shells report for a killed process. */
const KILLED = 137;

const killSelf = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** Skips all registered exit handlers. */
const exitNow = (): void => {
  try {
    libc()._exit(KILLED);
  } catch {
    // The runtime then reports a crash, and closes nothing.
    process.abort();
  }
};

/**
 * Makes the process end with SIGKILL, no matter how it exits. On any other exit, the runtime would close its database
 * files, and closing the last one writes to it. The first process of a container cannot kill itself, so it ends with
 * `_exit`.
 */
export const endByKill = (kill = killSelf): void => {
  process.on('exit', () => {
    kill();
    exitNow();
  });
};
