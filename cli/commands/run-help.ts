import { commandHelp, groupHelp } from '../args/help.ts';
import { createUsage } from '../args/usage.ts';
import type { Terminal } from '../output/terminal.ts';
import { findCommand, GROUPS, nameOf, takeBefore, unknownCommand } from './commands.ts';

const HELP = ['help', '--help', '-h'];

/** The commands of a group. */
export const showGroup = (group: string, terminal: Terminal): string => {
  const commands = (GROUPS.get(group) ?? []).flatMap((verb) => findCommand(`${group} ${verb}`) ?? []);
  return groupHelp(group, commands, terminal);
};

/** What to type for the help of the command that the arguments name; flags alone are those of `serve`. */
export const helpFor = (args: readonly string[]): string => {
  const { rest } = takeBefore(args);
  const command = findCommand(rest[0]?.startsWith('--') ? 'serve' : nameOf(rest));
  return command ? `petstore ${command.words} --help` : 'petstore --help';
};

/** Help for what the arguments name: a command, a group, or the program. */
export const showHelp = (args: readonly string[], terminal: Terminal): string => {
  const { rest } = takeBefore(args.filter((arg) => !HELP.includes(arg)));
  const [first, second] = rest;
  if (first === undefined || first.startsWith('-')) return createUsage(terminal);
  const command = findCommand(nameOf(rest));
  if (command) return commandHelp(command, terminal);
  if (GROUPS.has(first) && (second === undefined || second.startsWith('-'))) return showGroup(first, terminal);
  throw unknownCommand(rest);
};
