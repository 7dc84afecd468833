import { join } from 'node:path';

/**
 * The environment in which every sync of a process takes so much longer, or undefined where there is no C compiler. The
 * pause stands in front of the real call, so that nothing else about the disk changes.
 */
export const slowSync = async (directory: string, micros: number): Promise<Record<string, string> | undefined> => {
  const compiler = Bun.which('gcc') ?? Bun.which('cc');
  if (!compiler || process.platform !== 'linux') return undefined;
  const library = join(directory, 'slow-sync.so');
  const source = join(import.meta.dir, 'slow-sync.c');
  const built = await Bun.spawn([compiler, '-O2', '-shared', '-fPIC', '-o', library, source, '-ldl']).exited;
  return built === 0 ? { LD_PRELOAD: library, BENCH_SYNC_MICROS: String(micros) } : undefined;
};
