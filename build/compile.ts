import { join } from 'node:path';
import { ROOT } from '../check/root.ts';
import { buildConsole } from '../generate/console.ts';
import { siteModule } from './site.ts';
import type { Target } from './targets.ts';

/** The program, and the threads that it starts by file name. */
const ENTRIES = [
  'src/main.ts',
  'src/storage/sqlite/checkpoint.worker.ts',
  'src/storage/sqlite/backup/backup.worker.ts',
  'src/storage/sqlite/integrity/check.worker.ts',
].map((path) => join(ROOT, path));

type Options = {
  outfile: string;
  /** The commit; missing in trial builds. */
  commit?: string;
  target?: Target;
  /** The runtime for the target. Default: the current one. */
  executablePath?: string;
};

/** Replaces the module that generates files with the generated files. */
const withSite = (contents: string): Bun.BunPlugin => ({
  name: 'site',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/src\/http\/pages\/site\.ts$/ }, () => ({ loader: 'js', contents }));
  },
});

const modulesOf = ({ metafile }: Bun.BuildOutput): string[] => Object.keys(metafile?.inputs ?? {});

/** Compiles program, packages, assets and runtime into one file. Returns the bundled modules. */
export const compile = async ({ outfile, commit, target, executablePath }: Options): Promise<string[]> => {
  const console = await buildConsole();
  const built = await Bun.build({
    entrypoints: ENTRIES,
    root: join(ROOT, 'src'),
    compile: {
      outfile,
      ...(target ? { target: `bun-${target}` as Bun.Build.CompileTarget } : {}),
      ...(executablePath ? { executablePath } : {}),
      // Never read settings from a `.env` file in the working directory.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
    // Threads are looked up next to the main module, whatever folder they come from.
    naming: { entry: '[name].[ext]' },
    format: 'esm',
    minify: true,
    bytecode: true,
    metafile: true,
    plugins: [withSite(await siteModule(console))],
    define: commit === undefined ? {} : { 'process.env.PETSTORE_COMMIT': JSON.stringify(commit) },
    throw: false,
  });
  if (!built.success) throw new Error(built.logs.join('\n'));
  return [...modulesOf(built), ...modulesOf(console)];
};
