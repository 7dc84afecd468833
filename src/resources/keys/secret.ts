import { crc32, sha256 } from '../../kernel/builtins.ts';
import type { Environment } from '../../kernel/contract.ts';
import { type RandomText, toBase62 } from '../../kernel/ids.ts';

const PREFIXES: Record<Environment, string> = { production: 'ps_live_', staging: 'ps_test_' };

const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^ps_(?:live|test)_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

const checksum = (random: string): string => toBase62(crc32(random), CHECKSUM_LENGTH);

export const makeSecret = (environment: Environment, randomText: RandomText): string => {
  const random = randomText(RANDOM_LENGTH);
  return PREFIXES[environment] + random + checksum(random);
};

/** The service stores this hash, the secret's prefix and its last four characters, but never the secret itself. */
export const hashSecret = (secret: string): Uint8Array => sha256(secret);

export const recognise = (secret: string) => ({
  prefix: Object.values(PREFIXES).find((prefix) => secret.startsWith(prefix)) ?? '',
  last4: secret.slice(-4),
});

/** Admin keys from the configuration may have a different format from the keys that the service issues. */
export const isIssuedForm = (secret: string): boolean => SHAPE.test(secret);

export const UNKNOWN_KEY =
  'The API key is unknown, expired or revoked. Check the key, or ask the operator for a new one.';

export const secretFault = (secret: string, environment: Environment): string | undefined => {
  const other = environment === 'production' ? 'staging' : 'production';
  if (secret.startsWith(PREFIXES[other]))
    return `A ${other} key does not work on the ${environment} service. Use a ${environment} key.`;
  const [, random, sum] = SHAPE.exec(secret) ?? [];
  if (random !== undefined && checksum(random) !== sum) {
    return 'The API key is mistyped or incomplete: its checksum does not match. Copy the whole key again.';
  }
  return undefined;
};

/** Minimum number of different characters in a configured secret. A random secret of 20 characters has about 17. */
const MIN_CHARACTERS = 10;

const isRepetition = (text: string): boolean => {
  for (let length = 1; length <= (text.length + 1) / 2; length += 1) {
    if (text.startsWith(text.slice(length))) return true;
  }
  return false;
};

export const guessableFault = (secret: string): string | undefined => {
  if (new Set(secret).size < MIN_CHARACTERS) return `has fewer than ${MIN_CHARACTERS} different characters`;
  return isRepetition(secret) ? 'repeats one pattern' : undefined;
};
