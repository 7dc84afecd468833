import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { BadUsage } from '../args/read-arguments.ts';
import { FILES, KEYS } from '../messages.ts';
import { CannotWrite } from '../output/terminal.ts';

export type Environment = Record<string, string | undefined>;

export type Profile = { url: string; key: string };
export type Profiles = Record<string, Profile>;

export const DEFAULT_PROFILE = 'default';

/** Follows the XDG Base Directory Specification. */
const profilesFile = ({ XDG_CONFIG_HOME = '', HOME }: Environment): string | undefined => {
  const base = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : HOME && join(HOME, '.config');
  return base && join(base, 'petstore', 'profiles.json');
};

const readText = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new BadUsage(FILES.cannotRead(file, error));
  }
};

export const OTHERS = 0o077;

export const readProfiles = (environment: Environment): Profiles => {
  const file = profilesFile(environment);
  const text = file && readText(file);
  if (!text) return {};
  if (statSync(file).mode & OTHERS) {
    throw new BadUsage(KEYS.readableByOthers('keys', file), `chmod 600 ${file}`);
  }
  try {
    return Object.assign(Object.create(null), (JSON.parse(text) as { profiles: Profiles }).profiles);
  } catch {
    throw new BadUsage(KEYS.badProfiles(file), `rm ${file}`);
  }
};

/** Writes a temporary file and then renames it, so that other processes never read an incomplete file. */
export const writeProfiles = (environment: Environment, profiles: Profiles): string => {
  const file = profilesFile(environment);
  if (!file) throw new BadUsage(KEYS.noHome);
  const partial = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(partial, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600 });
    chmodSync(partial, 0o600);
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new CannotWrite(file, error);
  }
  return file;
};
