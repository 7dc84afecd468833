import { PetstoreError } from '../../client/src/index.ts';
import { type CommandResult, type Invocation, REFUSED } from '../args/invocation.ts';
import { type Arguments, BadUsage } from '../args/read-arguments.ts';
import { didYouMean, suggest } from '../args/suggest.ts';
import { expectThing } from '../output/columns.ts';
import { alignColumns } from '../output/table.ts';
import { cell, visible } from '../output/text.ts';
import type { Command } from './command.ts';
import { checkKey, connect, readKeyFile, readServiceUrl } from './connection.ts';
import { explainRefusal } from './explain-refusal.ts';
import { DEFAULT_PROFILE, readProfiles, writeProfiles } from './profiles.ts';

const profileName = ({ values }: Arguments, { before }: Invocation): string => {
  const name = values.get('profile') ?? before.get('profile') ?? DEFAULT_PROFILE;
  if (/^\w[\w.-]{0,63}$/.test(name)) return name;
  throw new BadUsage('--profile must be letters, digits, dots and dashes, at most 64');
};

/** Checks a key, and stores it with the address of its service. */
export const login = async (command: Command, given: Arguments, invocation: Invocation): Promise<CommandResult> => {
  const { environment, terminal, before } = invocation;
  const name = profileName(given, invocation);
  const profiles = readProfiles(environment);
  const flags = new Map([...before, ...given.values]);
  const isGiven = flags.has('url') || Boolean(environment.PETSTORE_URL);
  const url = (isGiven ? undefined : profiles[name]?.url) ?? readServiceUrl(flags, environment);
  const file = flags.get('key-file');
  const key =
    file === undefined
      ? checkKey((await terminal.readSecret(`Key for ${url}: `)).trim())
      : await readKeyFile(file, terminal);
  try {
    const me = expectThing(await connect({ url, key }).request({ path: '/keys/me' }), 'name', 'plan');
    const stored = writeProfiles(environment, { ...profiles, [name]: { url, key } });
    const who = `Logged in at ${url} as ${cell(me.name)} (${cell(me.plan)}, store ${cell(me.storeId)}).`;
    const use = name === DEFAULT_PROFILE ? '' : ` Use it with --profile ${name}.`;
    return { exitCode: 0, out: visible(`${who} Stored in ${stored} as ${name}.${use}`) };
  } catch (error) {
    if (!(error instanceof PetstoreError)) throw error;
    const described = { ...command, method: 'GET', flags: [] };
    return { exitCode: REFUSED, err: explainRefusal(error, described, url, given.values) };
  }
};

export const logout = async (_: Command, given: Arguments, invocation: Invocation): Promise<CommandResult> => {
  const name = profileName(given, invocation);
  const { [name]: gone, ...rest } = readProfiles(invocation.environment);
  if (!gone) {
    const known = Object.keys(rest);
    throw new BadUsage(`there is no profile "${name}"${didYouMean(suggest(name, known))}`, 'petstore profiles');
  }
  writeProfiles(invocation.environment, rest);
  return {
    exitCode: 0,
    out: `The profile ${name} is forgotten. Its key still works: petstore keys revoke ends a key.`,
  };
};

/** Lists the stored profiles. Keys are shortened. */
export const listProfiles = async (_: Command, __: Arguments, { environment }: Invocation): Promise<CommandResult> => {
  const profiles = Object.entries(readProfiles(environment));
  if (profiles.length === 0) return { exitCode: 0, out: 'none' };
  const rows = profiles.map(([name, { url, key }]) => [name, url, `…${key.slice(-4)}`].map(visible));
  return { exitCode: 0, out: alignColumns([['name', 'url', 'key'], ...rows]) };
};
