import { readFileSync } from 'node:fs';
import { BadUsage } from './read-arguments.ts';
import { suggest } from './suggest.ts';

export type Variables = Record<string, string | undefined>;

export const readSecret = (environment: Variables, name: string, problems?: string[]): string | undefined => {
  const fail = (problem: string): undefined => {
    if (!problems) throw new BadUsage(problem);
    problems.push(problem);
  };
  const [value, file] = [environment[name], environment[`${name}_FILE`]];
  if (!file) return value || undefined;
  if (value) return fail(`${name} and ${name}_FILE are both set; unset one of them`);
  try {
    const text = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
    if (text) return text;
  } catch (error) {
    return fail(`${name}_FILE cannot be read: ${(error as Error).message}`);
  }
  return fail(`${name}_FILE names an empty file: ${file}`);
};

const shorten = (name: string): string => name.replace(/^PETSTORE_/, '').toLowerCase();

// Kubernetes and Docker set variables such as PETSTORE_PORT=tcp://10.0.0.1:80 for a service named `petstore`. These
// variables are not settings.
const isServiceLink = (name: string, value: string): boolean =>
  /_SERVICE_(HOST|PORT)|_PORT_\d+_(TCP|UDP|SCTP)/.test(name) || /^(tcp|udp|sctp):\/\//.test(value);

type Unknown = { name: string; meant: string | undefined };

const findUnknown = (environment: Variables, known: readonly string[]): Unknown[] =>
  Object.entries(environment).flatMap(([name, value]) => {
    if (!name.startsWith('PETSTORE_') || !value || known.includes(name) || isServiceLink(name, value)) return [];
    const guess = suggest(shorten(name), known.map(shorten));
    return [{ name, meant: known.find((one) => shorten(one) === guess) }];
  });

const explain = ({ name, meant }: Unknown): string =>
  `${name} is not a setting; ${meant ? `did you mean ${meant}?` : 'unset it, or see docs/config.md'}`;

export const unknownVariables = (environment: Variables, known: readonly string[]): string[] =>
  findUnknown(environment, known).map(explain);

/** Accepts an unknown name that resembles no setting, because a newer version may have a setting with that name. */
export const refuseMisspelled = (environment: Variables, known: readonly string[], read: readonly string[]): void => {
  const misspelled = findUnknown(environment, known).find(({ meant = '' }) => read.includes(meant));
  if (misspelled) throw new BadUsage(explain(misspelled));
};
