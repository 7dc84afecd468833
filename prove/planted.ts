import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The proof splits each secret into parts of this length and searches for them. The parts are longer than four
 * characters, because the service may show a secret's last four characters. Any leak of 20 characters contains at least
 * one whole part.
 */
const PART = 10;

const partsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  const spellings = [secret, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('hex')];
  return [...new Set(spellings)].flatMap((spelled) =>
    Array.from({ length: Math.floor(spelled.length / PART) }, (_, at) => spelled.slice(PART * at, PART * (at + 1))),
  );
};

const withoutPrefix = (secret: string): string => secret.replace(/^(ps_live_|ps_test_|whsec_)/, '');

export const readAll = (directory: string): string =>
  readdirSync(directory, { recursive: true })
    .map((name) => join(directory, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');

export const findPlanted = (secrets: Record<string, string>, places: Record<string, string>): string[] =>
  Object.entries(secrets).flatMap(([name, secret]) => {
    const parts = partsOf(withoutPrefix(secret));
    return Object.entries(places)
      .filter(([, text]) => parts.some((part) => text.includes(part)))
      .map(([place]) => `${name} in ${place}`);
  });
