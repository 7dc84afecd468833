import { type CommandResult, type Invocation, readInvocation } from '../args/invocation.ts';
import type { Arguments } from '../args/read-arguments.ts';
import type { Command } from './command.ts';
import { findCommand } from './commands.ts';

type LocalCommand = (command: Command, given: Arguments, invocation: Invocation) => Promise<CommandResult>;

/** Each is loaded when it is called: the others would make every command slower. */
const COMMANDS: Record<string, () => Promise<LocalCommand>> = {
  login: async () => (await import('./login.ts')).login,
  logout: async () => (await import('./login.ts')).logout,
  profiles: async () => (await import('./login.ts')).listProfiles,
  completion: async () => (await import('./completion.ts')).printCompletion,
  'pets import': async () => (await import('./import-pets.ts')).importPets,
  'pets export': async () => (await import('./export-pets.ts')).exportPets,
  'events follow': async () => (await import('./follow-events.ts')).followEvents,
  'webhooks listen': async () => (await import('./listen.ts')).listenForWebhooks,
};

/** Runs a command that is no single operation, if these are the words of one. */
export const runLocal = (words: string, invocation: Invocation): Promise<CommandResult> | undefined => {
  const load = COMMANDS[words];
  const command = load && findCommand(words);
  if (!load || !command) return undefined;
  const given = readInvocation(command, invocation);
  return load().then((run) => run(command, given, invocation));
};
