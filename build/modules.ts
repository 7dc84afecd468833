import { join } from 'node:path';
import { ROOT } from '../check/root.ts';
import { buildConsole } from '../generate/console.ts';

export const ENTRIES = [
  'src/main.ts',
  'src/storage/sqlite/checkpoint.worker.ts',
  'src/storage/sqlite/backup/backup.worker.ts',
  'src/storage/sqlite/integrity/check.worker.ts',
].map((path) => join(ROOT, path));

export const withSite = (contents: string): Bun.BunPlugin => ({
  name: 'site',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/src\/http\/pages\/site\.ts$/ }, () => ({ loader: 'js', contents }));
  },
});

export const modulesOf = ({ metafile }: Bun.BuildOutput): string[] => Object.keys(metafile?.inputs ?? {});

const NO_SITE = 'export const [loadDocs, loadConsole, loadLicenses] = [];';

export const findModules = async (console = buildConsole()): Promise<string[]> => {
  const plugins = [withSite(NO_SITE)];
  const built = await Bun.build({ entrypoints: ENTRIES, target: 'bun', metafile: true, plugins });
  return [...modulesOf(built), ...modulesOf(await console)];
};
