import { flagOf, VARIABLES } from '../config.ts';
import { BadUsage, readArguments } from './read-arguments.ts';

const FLAGS: ReadonlyMap<string, string> = new Map(
  Object.keys(VARIABLES).flatMap((name) => {
    const flag = flagOf(name);
    return flag ? [[flag.slice('--'.length), name]] : [];
  }),
);

/** A password before the `@` of an address. */
const PASSWORD = /:\/\/[^@/?#]*:[^@/?#]+@/;

/** Parameters are decoded as the drivers do: a `password` may be spelled `p%61ssword`. */
const hasPassword = (value: string): boolean =>
  PASSWORD.test(value) ||
  new URLSearchParams(value.replace(/^[^?]*/, '')).entries().some(([name, text]) => /password$/i.test(name) && text);

/** Everyone on a machine can read the flags of a process, and shells keep them in their history. */
const refusePassword = (flag: string, value: string): void => {
  if (!hasPassword(value)) return;
  throw new BadUsage(
    `--${flag} has a password in it, which others on this machine could read; set ${FLAGS.get(flag)} in the environment instead`,
  );
};

/** The settings among the arguments of `petstore serve`, by the names of their variables. */
export const readServeFlags = (args: readonly string[]): Record<string, string> => {
  const { values } = readArguments(args, { flags: [...FLAGS.keys()] });
  for (const [flag, value] of values) refusePassword(flag, value);
  return Object.fromEntries([...values].map(([flag, value]) => [FLAGS.get(flag), value]));
};
