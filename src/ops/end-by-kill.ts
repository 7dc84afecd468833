import { libc } from './libc.ts';

/** The exit code with which a shell reports a killed process. */
const KILLED = 137;

const killSelf = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** Skips everything that is registered to run at the end. */
const exitAtOnce = (): void => {
  try {
    libc()._exit(KILLED);
  } catch {
    // The runtime reports a crash then, and closes nothing.
    process.abort();
  }
};

/**
 * From now on the process ends by SIGKILL, however it ends. Every other way has the runtime close its database files
 * first, and closing the last one writes to it. The first process of a container cannot be killed from inside: it ends by
 * the system's own exit.
 */
export const endByKill = (kill = killSelf): void => {
  process.on('exit', () => {
    kill();
    exitAtOnce();
  });
};
