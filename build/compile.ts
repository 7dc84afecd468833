import { join } from 'node:path';
import { ROOT } from '../check/root.ts';
import { buildConsole } from '../generate/console.ts';
import { licensesOf } from './licenses.ts';
import { ENTRIES, findModules, modulesOf, withSite } from './modules.ts';
import { siteModule } from './site.ts';
import type { Target } from './targets.ts';

type Options = {
  outfile: string;
  commit?: string;
  target?: Target;
  executablePath?: string;
};

export const compile = async ({ outfile, commit, target, executablePath }: Options) => {
  const console = await buildConsole();
  const licenses = licensesOf(await findModules(Promise.resolve(console)));
  const built = await Bun.build({
    entrypoints: ENTRIES,
    root: join(ROOT, 'src'),
    compile: {
      outfile,
      ...(target ? { target: `bun-${target}` as Bun.Build.CompileTarget } : {}),
      ...(executablePath ? { executablePath } : {}),
      // The executable must never read settings from a `.env` file in its working directory.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
    // Bun looks for the files of worker threads next to the main module, so all entry points must be in one folder.
    naming: { entry: '[name].[ext]' },
    format: 'esm',
    minify: true,
    bytecode: true,
    metafile: true,
    plugins: [withSite(await siteModule(console, licenses))],
    define: commit === undefined ? {} : { 'process.env.PETSTORE_COMMIT': JSON.stringify(commit) },
    throw: false,
  });
  if (!built.success) throw new Error(built.logs.join('\n'));
  return { modules: [...modulesOf(built), ...modulesOf(console)], licenses };
};
