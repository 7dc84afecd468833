/**
 * From now on the process ends by SIGKILL, however it ends. Every other way has the runtime close its database files
 * first, and what is closed last is written to.
 */
export const endByKill = (): void => {
  process.on('exit', () => process.kill(process.pid, 'SIGKILL'));
};
