import type { Invocation, RunCommand } from '../args/invocation.ts';
import { type Arguments, BadUsage } from '../args/read-arguments.ts';
import { suggest } from '../args/suggest.ts';
import { ARGUMENTS, KEYS, OUTPUT } from '../messages.ts';
import { expectThing } from '../output/columns.ts';
import { alignColumns } from '../output/table.ts';
import { cell, visible } from '../output/text.ts';
import { checkKey, connect, readKeyFile, readServiceUrl } from './connection.ts';
import { refused } from './explain-refusal.ts';
import { DEFAULT_PROFILE, readProfiles, writeProfiles } from './profiles.ts';

const profileName = ({ values }: Arguments, { before }: Invocation): string => {
  const name = values.get('profile') ?? before.get('profile') ?? DEFAULT_PROFILE;
  if (/^\w[\w.-]{0,63}$/.test(name)) return name;
  throw new BadUsage(ARGUMENTS.badProfileName);
};

export const login: RunCommand = async (command, given, invocation) => {
  const { environment, terminal, before } = invocation;
  const name = profileName(given, invocation);
  const profiles = readProfiles(environment);
  const flags = new Map([...before, ...given.values]);
  const isGiven = flags.has('url') || Boolean(environment.PETSTORE_URL);
  const url = (isGiven ? undefined : profiles[name]?.url) ?? readServiceUrl(flags, environment);
  const file = flags.get('key-file');
  const key =
    file === undefined
      ? checkKey((await terminal.readSecret(KEYS.prompt(url))).trim())
      : await readKeyFile(file, terminal);
  try {
    const me = expectThing(await connect({ url, key }).request({ path: '/keys/me' }), 'name', 'plan');
    const stored = writeProfiles(environment, { ...profiles, [name]: { url, key } });
    const who = KEYS.loggedIn(url, cell(me.name), cell(me.plan), cell(me.storeId));
    const use = name === DEFAULT_PROFILE ? '' : KEYS.profileHint(name);
    return { exitCode: 0, out: visible(`${who} ${KEYS.stored(stored, name)}${use}`) };
  } catch (error) {
    return refused(error, command, url, given.values);
  }
};

export const logout: RunCommand = async (_, given, invocation) => {
  const name = profileName(given, invocation);
  const { [name]: gone, ...rest } = readProfiles(invocation.environment);
  if (!gone) throw new BadUsage(KEYS.unknownProfile(name, suggest(name, Object.keys(rest))), 'petstore profiles');
  writeProfiles(invocation.environment, rest);
  return { exitCode: 0, out: KEYS.loggedOut(name) };
};

export const listProfiles: RunCommand = async (_, __, { environment }) => {
  const profiles = Object.entries(readProfiles(environment));
  if (profiles.length === 0) return { exitCode: 0, out: OUTPUT.none };
  const rows = profiles.map(([name, { url, key }]) => [name, url, `…${key.slice(-4)}`].map(visible));
  return { exitCode: 0, out: alignColumns([['name', 'url', 'key'], ...rows]) };
};
