import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../check/root.ts';
import { runCommand } from './run-command.ts';

const KEPT = join(ROOT, 'node_modules', '.cache', 'generated-clients');

const keep = (directory: string, installed: string): void => {
  try {
    renameSync(directory, installed);
  } catch (error) {
    if (!existsSync(installed)) throw error;
  }
};

/**
 * Installs the packages in a separate directory. As dependencies of this repository, they would add 84 packages and a
 * second version of TypeScript.
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

export const installTypeScriptGenerators = async (): Promise<string> => {
  const words = ['npm', 'ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  return join(await install(['package.json', 'package-lock.json'], words), 'node_modules');
};

export const installPythonPackages = async (): Promise<string> => {
  const version = await runCommand({ words: ['python3', '--version'], directory: ROOT });
  const words = ['python3', '-m', 'pip', 'install', '--quiet', '--target', 'packages', '-r', 'requirements.txt'];
  return join(await install(['requirements.txt'], words, version), 'packages');
};
