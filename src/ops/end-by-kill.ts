import { dlopen } from 'bun:ffi';
import { LIBC } from './libc.ts';

/** As a shell tells of a process that was killed. */
const KILLED = 137;

const killSelf = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** Runs nothing that is registered to run at the end. */
const exitAtOnce = (): void => {
  try {
    dlopen(LIBC, { _exit: { args: ['int'], returns: 'void' } }).symbols._exit(KILLED);
  } catch {
    // The runtime tells of a crash then, and closes nothing.
    process.abort();
  }
};

/**
 * From now on the process ends by SIGKILL, however it ends. Every other way has the runtime close its database files
 * first, and what is closed last is written to. The first process of a container cannot be killed from inside, and ends by
 * the system's own exit.
 */
export const endByKill = (kill = killSelf): void => {
  process.on('exit', () => {
    kill();
    exitAtOnce();
  });
};
