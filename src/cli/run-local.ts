import type { Command } from './command.ts';
import { findCommand } from './commands.ts';
import { completionScript } from './completion.ts';
import { exportPets } from './export-pets.ts';
import { followEvents } from './follow-events.ts';
import { importPets } from './import-pets.ts';
import { type CommandResult, type Invocation, readInvocation } from './invocation.ts';
import { listenForWebhooks } from './listen.ts';
import { listProfiles, login, logout } from './login.ts';
import type { Arguments } from './read-arguments.ts';

type LocalCommand = (command: Command, given: Arguments, invocation: Invocation) => Promise<CommandResult>;

const COMMANDS: Record<string, LocalCommand> = {
  login,
  logout,
  profiles: listProfiles,
  completion: async (_, { positions }) => ({ exitCode: 0, out: completionScript(positions[0] ?? '') }),
  'events follow': followEvents,
  'pets import': importPets,
  'pets export': exportPets,
  'webhooks listen': listenForWebhooks,
};

/** The commands that are no single operation, by their words. */
export const runLocal = (words: string, invocation: Invocation): Promise<CommandResult> | undefined => {
  const run = COMMANDS[words];
  const command = run && findCommand(words);
  return run && command && run(command, readInvocation(command, invocation), invocation);
};
