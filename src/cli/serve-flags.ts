import { flagOf, VARIABLES } from '../config.ts';
import { readArguments } from './read-arguments.ts';

const FLAGS: ReadonlyMap<string, string> = new Map(
  Object.keys(VARIABLES).flatMap((name) => {
    const flag = flagOf(name);
    return flag ? [[flag.slice('--'.length), name]] : [];
  }),
);

/** The settings among the arguments of `petstore serve`, by the names of their variables. */
export const readServeFlags = (args: readonly string[]): Record<string, string> => {
  const { values } = readArguments(args, { flags: [...FLAGS.keys()] });
  return Object.fromEntries([...values].map(([flag, value]) => [FLAGS.get(flag), value]));
};
