import { basename, join } from 'node:path';

export const buildLibrary = async (directory: string, source: string): Promise<string | undefined> => {
  const compiler = Bun.which('gcc') ?? Bun.which('cc');
  if (!compiler || process.platform !== 'linux') return undefined;
  const library = join(directory, `${basename(source, '.c')}.so`);
  const built = await Bun.spawn([compiler, '-O2', '-shared', '-fPIC', '-o', library, source, '-ldl']).exited;
  return built === 0 ? library : undefined;
};

export const slowSync = async (directory: string, micros: number): Promise<Record<string, string> | undefined> => {
  const library = await buildLibrary(directory, join(import.meta.dir, 'slow-sync.c'));
  return library ? { LD_PRELOAD: library, BENCH_SYNC_MICROS: String(micros) } : undefined;
};
