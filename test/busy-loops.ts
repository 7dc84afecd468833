import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(import.meta.resolve('./busy-loop.ts'));

export const startBusyLoops = (count: number): (() => Promise<void>) => {
  const loops = Array.from({ length: count }, () =>
    Bun.spawn([process.execPath, PROGRAM], { stdin: 'pipe', stdout: 'ignore' }),
  );
  return async () => {
    for (const loop of loops) loop.kill('SIGKILL');
    await Promise.all(loops.map((loop) => loop.exited));
  };
};
