import { readFileSync, statSync } from 'node:fs';
import { Petstore } from '../../client/src/index.ts';
import { readClientConfig } from '../../src/config.ts';
import { sentences } from '../args/flag.ts';
import { BadUsage } from '../args/read-arguments.ts';
import { suggest } from '../args/suggest.ts';
import { ARGUMENTS, FILES, KEYS, SERVICE } from '../messages.ts';
import type { Terminal } from '../output/terminal.ts';
import { visible } from '../output/text.ts';
import { DEFAULT_PROFILE, type Environment, OTHERS, type Profile, readProfiles } from './profiles.ts';

export type ConnectionFlags = ReadonlyMap<string, string>;

const VISIBLE = /^[\x21-\x7e]+$/;

const readUrl = (text: string): string => {
  const url = text.replace(/\/+$/, '').replace(/\/v1$/, '');
  if (/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(url) && URL.canParse(url)) return url;
  throw new BadUsage(ARGUMENTS.badUrl);
};

export const checkKey = (key: string): string => {
  if (VISIBLE.test(key)) return key;
  throw new BadUsage(key === '' ? KEYS.empty : KEYS.badCharacters);
};

/** Reads the key from a file instead of a flag, because every user of the machine can see a command's flags. */
export const readKeyFile = async (file: string, terminal: Terminal): Promise<string> => {
  if (file === '-') return checkKey((await terminal.readSecret(KEYS.prompt())).trim());
  try {
    const stat = statSync(file);
    if (stat.isFile() && stat.mode & OTHERS) {
      terminal.tell(visible(`petstore: ${KEYS.readableByOthers('key', file)}: chmod 600 ${file}`));
    }
    return checkKey(readFileSync(file, 'utf8').trim());
  } catch (error) {
    if (error instanceof BadUsage) throw error;
    throw new BadUsage(`--key-file: ${FILES.cannotRead(file, error)}`);
  }
};

type Pair = { url: string; key?: string | undefined; isStored: boolean };

const findPair = (named: string | undefined, environment: Environment): Pair => {
  const variables = readClientConfig(environment);
  if (named === undefined && variables.key !== undefined) return { ...variables, isStored: false };
  const profiles = readProfiles(environment);
  const profile = profiles[named ?? DEFAULT_PROFILE];
  if (profile) return { ...profile, isStored: true };
  if (named === undefined) return { url: variables.url, isStored: false };
  const known = Object.keys(profiles);
  throw new BadUsage(
    KEYS.unknownProfile(named, suggest(named, known)),
    known.length > 0 ? 'petstore profiles' : `petstore login --profile ${named}`,
  );
};

export const readServiceUrl = (flags: ConnectionFlags, environment: Environment): string =>
  flags.has('url') ? readUrl(flags.get('url') as string) : readClientConfig(environment).url;

export const readConnection = async (flags: ConnectionFlags, environment: Environment, terminal: Terminal) => {
  const named = flags.get('profile') ?? (environment.PETSTORE_PROFILE || undefined);
  const pair = findPair(named, environment);
  const isGiven = flags.has('url') || (named === undefined && Boolean(environment.PETSTORE_URL));
  const url = isGiven ? readServiceUrl(flags, environment) : pair.url;
  const file = flags.get('key-file');
  if (file !== undefined) return { url, key: await readKeyFile(file, terminal) };
  const key = pair.isStored && pair.url !== url ? undefined : pair.key;
  if (key !== undefined) return { url, key: checkKey(key) };
  throw new BadUsage(KEYS.missing(url), `petstore login${isGiven ? ` --url ${url}` : ''}`);
};

const PATIENCE_MS = 60_000;
// Long enough for the service to restart. If a rate limit needs a longer wait, the command fails and reports the limit.
const SHORT_WAIT_MS = 5000;
/** Long enough for a per-minute limit to reset. */
const LONG_WAIT_MS = 90_000;
const LONG_RETRIES = 6;

export const connect = ({ url, key }: Profile, walk?: { tell(line: string): void }) =>
  new Petstore({
    key,
    baseUrl: `${url}/v1`,
    timeoutMs: PATIENCE_MS,
    maxWaitMs: walk ? LONG_WAIT_MS : SHORT_WAIT_MS,
    retries: walk && LONG_RETRIES,
    onRetry: ({ waitMs, reason }) =>
      walk?.tell(visible(`petstore: ${sentences(reason.message, SERVICE.retrying(waitMs))}`)),
  });

export type Client = ReturnType<typeof connect>;
