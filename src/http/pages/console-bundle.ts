import { join } from 'node:path';

/** A file of the console as it is served. */
export type ConsoleFile = { name: string; text: string };

const ENTRY = join(import.meta.dirname, '..', '..', '..', 'console', 'main.tsx');

/**
 * Bundles the console from its source.
 *
 * @internal
 */
export const buildConsole = (): Promise<Bun.BuildOutput> =>
  Bun.build({
    entrypoints: [ENTRY],
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    naming: { entry: '[name].[hash].[ext]', chunk: '[name].[hash].[ext]', asset: '[name].[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
  });

/**
 * What a bundle is made of; the first file is the script to begin with.
 *
 * @internal
 */
export const readBundle = ({ outputs }: Bun.BuildOutput): Promise<ConsoleFile[]> =>
  Promise.all(outputs.map(async (output) => ({ name: output.path.replace(/^\.?\//, ''), text: await output.text() })));

/** The files of the console. The build of the one file puts them in the place of this module (`build/compile.ts`). */
export const bundleConsole = async (): Promise<ConsoleFile[]> => readBundle(await buildConsole());
