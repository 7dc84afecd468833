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

/** All that is kept of a secret besides the few characters by which people tell keys apart. */
export const hashSecret = (secret: string): Uint8Array => sha256(secret);

/** The parts of a secret that may be shown: where it is good, and how it ends. */
export const recognise = (secret: string) => ({
  prefix: Object.values(PREFIXES).find((prefix) => secret.startsWith(prefix)) ?? '',
  last4: secret.slice(-4),
});

/** Whether it has the form of the keys that are issued. Only the admin key may have another. */
export const isIssuedForm = (secret: string): boolean => SHAPE.test(secret);

/** What is wrong with a secret as far as its own characters tell. */
export const secretFault = (secret: string, environment: Environment): string | undefined => {
  const other = environment === 'production' ? 'staging' : 'production';
  if (secret.startsWith(PREFIXES[other])) return `This is a ${other} key; this service is ${environment}.`;
  const [, random, sum] = SHAPE.exec(secret) ?? [];
  if (random !== undefined && checksum(random) !== sum) {
    return 'The API key is mistyped or cut short: its checksum does not match.';
  }
  return undefined;
};
