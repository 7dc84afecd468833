import { join } from 'node:path';
import { ROOT } from '../check/root.ts';
import type { Target } from './targets.ts';

/** The program, and the threads that it starts by the names of their files. */
const ENTRIES = ['src/main.ts', 'src/database/sqlite.checkpoint.worker.ts', 'src/database/sqlite.backup.worker.ts'].map(
  (path) => join(ROOT, path),
);

type Options = {
  outfile: string;
  /** Of what it is made; one that does not say it is only tried. */
  commit?: string;
  target?: Target;
  /** The runtime for the target; that which runs now, if none is named. */
  executablePath?: string;
};

/** Makes one file of program, packages, assets and runtime. Returns the modules that are in it. */
export const compile = async ({ outfile, commit, target, executablePath }: Options): Promise<string[]> => {
  const { success, logs, metafile } = await Bun.build({
    entrypoints: ENTRIES,
    root: join(ROOT, 'src'),
    compile: {
      outfile,
      ...(target ? { target: `bun-${target}` as Bun.Build.CompileTarget } : {}),
      ...(executablePath ? { executablePath } : {}),
      // A file of the folder it is started in is not asked for settings.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
    // Threads are looked for beside the main module, whatever folder they come from.
    naming: { entry: '[name].[ext]' },
    format: 'esm',
    minify: true,
    bytecode: true,
    metafile: true,
    define: commit === undefined ? {} : { 'process.env.PETSTORE_COMMIT': JSON.stringify(commit) },
    throw: false,
  });
  if (!success) throw new Error(logs.join('\n'));
  return Object.keys(metafile?.inputs ?? {});
};
