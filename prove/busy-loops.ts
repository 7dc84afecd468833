/** Processes that do nothing but use the processor, until they are ended; each ends by itself after a while. */
export const startBusyLoops = (count: number, mostMs = 10 * 60_000) => {
  const program = `const end = Date.now() + ${mostMs}; while (Date.now() < end);`;
  const loops = Array.from({ length: count }, () => Bun.spawn([process.execPath, '-e', program]));
  return async (): Promise<void> => {
    for (const loop of loops) loop.kill('SIGKILL');
    await Promise.all(loops.map(({ exited }) => exited));
  };
};
