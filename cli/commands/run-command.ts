import { commandHelp, createUsage, groupHelp } from '../args/help.ts';
import { type RunCommand, readInvocation } from '../args/invocation.ts';
import { noteLine, wantsJson } from '../output/show-result.ts';
import type { Terminal } from '../output/terminal.ts';
import { OPERATIONS } from './command.ts';
import { findCommand, GROUPS, nameOf, takeBefore, unknownCommand } from './commands.ts';
import type { Environment } from './profiles.ts';
import { runOperation } from './run-operation.ts';

export const runCommand = async (args: readonly string[], environment: Environment, given: Terminal) => {
  const terminal = wantsJson(args) ? { ...given, tell: (text: string) => given.tell(noteLine(text)) } : given;
  const { before, rest } = takeBefore(args);
  const name = nameOf(rest);
  const invocation = { args: rest.slice(name.split(' ').length), before, environment, terminal };
  const contract = OPERATIONS.get(name);
  if (contract) return runOperation(contract, invocation);
  const load = COMMANDS[name];
  const command = load && findCommand(name);
  if (command) return (await load())(command, readInvocation(command, invocation), invocation);
  if (rest.length === 1 && GROUPS.has(name)) return { exitCode: 0, out: groupHelp(name, terminal) };
  throw unknownCommand(rest);
};

const HELP = ['help', '--help', '-h'];

export const helpFor = (args: readonly string[]): string => {
  const { rest } = takeBefore(args);
  const command = findCommand(rest[0]?.startsWith('--') ? 'serve' : nameOf(rest));
  return command ? `petstore ${command.words} --help` : 'petstore --help';
};

export const showHelp = (args: readonly string[], terminal: Terminal): string => {
  const { rest } = takeBefore(args.filter((arg) => !HELP.includes(arg)));
  const [first, second] = rest;
  if (first === undefined || first.startsWith('-')) return createUsage(terminal);
  const command = findCommand(nameOf(rest));
  if (command) return commandHelp(command, terminal);
  if (GROUPS.has(first) && (second === undefined || second.startsWith('-'))) return groupHelp(first, terminal);
  throw unknownCommand(rest);
};

const COMMANDS: Record<string, () => Promise<RunCommand>> = {
  login: async () => (await import('./login.ts')).login,
  logout: async () => (await import('./login.ts')).logout,
  profiles: async () => (await import('./login.ts')).listProfiles,
  completion: async () => (await import('./completion.ts')).printCompletion,
  'pets import': async () => (await import('./import-pets.ts')).importPets,
  'pets export': async () => (await import('./export-pets.ts')).exportPets,
  'events follow': async () => (await import('./follow-events.ts')).followEvents,
  'webhooks listen': async () => (await import('./listen.ts')).listenForWebhooks,
};
