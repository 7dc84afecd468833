import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A key shows its prefix and its last four characters. Whoever shows twice as much as this, at any place, shows a whole part. */
const PART = 10;

/** A secret in parts, as it is and as it is often spelled. */
const partsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  const spellings = [secret, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('hex')];
  return [...new Set(spellings)].flatMap((spelled) =>
    Array.from({ length: Math.floor(spelled.length / PART) }, (_, at) => spelled.slice(PART * at, PART * (at + 1))),
  );
};

/** What of a secret is secret: the beginning of an issued one says what it is. */
const withoutPrefix = (secret: string): string => secret.replace(/^(ps_live_|ps_test_|whsec_)/, '');

/** Everything below a directory, as one text. */
export const readAll = (directory: string): string =>
  readdirSync(directory, { recursive: true })
    .map((name) => join(directory, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');

/** Which secrets are found where: those of `secrets` by name, in what was written to each of the `places`. */
export const findPlanted = (secrets: Record<string, string>, places: Record<string, string>): string[] =>
  Object.entries(secrets).flatMap(([name, secret]) => {
    const parts = partsOf(withoutPrefix(secret));
    return Object.entries(places)
      .filter(([, text]) => parts.some((part) => text.includes(part)))
      .map(([place]) => `${name} in ${place}`);
  });
