import { basename, join } from 'node:path';

/** Builds a library that overrides system functions; undefined without a C compiler. */
export const buildLibrary = async (directory: string, source: string): Promise<string | undefined> => {
  const compiler = Bun.which('gcc') ?? Bun.which('cc');
  if (!compiler || process.platform !== 'linux') return undefined;
  const library = join(directory, `${basename(source, '.c')}.so`);
  const built = await Bun.spawn([compiler, '-O2', '-shared', '-fPIC', '-o', library, source, '-ldl']).exited;
  return built === 0 ? library : undefined;
};

/**
 * Returns an environment in which every sync of a process takes `micros` longer; undefined without a C compiler. The
 * pause comes before the real call, so that nothing else about the disk changes.
 */
export const slowSync = async (directory: string, micros: number): Promise<Record<string, string> | undefined> => {
  const library = await buildLibrary(directory, join(import.meta.dir, 'slow-sync.c'));
  return library ? { LD_PRELOAD: library, BENCH_SYNC_MICROS: String(micros) } : undefined;
};
