import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../check/root.ts';
import { runCommand } from './run-command.ts';

/** Kept from run to run, and gone with the packages of the repository. */
const KEPT = join(ROOT, 'node_modules', '.cache', 'generated-clients');

/** Under its name only what is whole; a run beside this one may have been faster, and what it keeps is as good. */
const keep = (directory: string, installed: string): void => {
  try {
    renameSync(directory, installed);
  } catch (error) {
    if (!existsSync(installed)) throw error;
  }
};

/**
 * Installs packages in a directory of their own, once for each version of the files that list them. Among those of the
 * repository they would be 84 more for everybody, and a second TypeScript.
 */
const install = async (listed: readonly string[], words: string[], runtime = ''): Promise<string> => {
  const hash = new Bun.CryptoHasher('sha256').update(runtime);
  for (const name of listed) hash.update(readFileSync(join(import.meta.dir, name)));
  const installed = join(KEPT, hash.digest('hex').slice(0, 16));
  if (existsSync(installed)) return installed;
  mkdirSync(KEPT, { recursive: true });
  const directory = mkdtempSync(join(KEPT, 'begun-'));
  try {
    for (const name of listed) copyFileSync(join(import.meta.dir, name), join(directory, name));
    await runCommand({ words, directory });
    keep(directory, installed);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return installed;
};

/** The directory of packages with the generators of TypeScript. */
export const installTypeScriptGenerators = async (): Promise<string> => {
  const words = ['npm', 'ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  return join(await install(['package.json', 'package-lock.json'], words), 'node_modules');
};

/** The directory of packages with the generator of Java, Go and Python, and what its clients in Python are built on. */
export const installPythonPackages = async (): Promise<string> => {
  const version = await runCommand({ words: ['python3', '--version'], directory: ROOT });
  const words = ['python3', '-m', 'pip', 'install', '--quiet', '--target', 'packages', '-r', 'requirements.txt'];
  return join(await install(['requirements.txt'], words, version), 'packages');
};
