import type { CommandResult } from '../args/invocation.ts';
import { NO_TERMINAL, type Terminal } from '../output/terminal.ts';
import { OPERATIONS } from './command.ts';
import { GROUPS, nameOf, takeBefore, unknownCommand } from './commands.ts';
import type { Environment } from './profiles.ts';
import { showGroup } from './run-help.ts';
import { runLocal } from './run-local.ts';
import { runOperation } from './run-operation.ts';

export type { CommandResult } from '../args/invocation.ts';

/** Runs a command of the command line: one operation of a running service, or what is made of several. */
export const runCommand = async (
  args: readonly string[],
  environment: Environment,
  terminal: Terminal = NO_TERMINAL,
): Promise<CommandResult> => {
  const { before, rest } = takeBefore(args);
  const name = nameOf(rest);
  const invocation = { args: rest.slice(name.split(' ').length), before, environment, terminal };
  const contract = OPERATIONS.get(name);
  if (contract) return runOperation(contract, invocation);
  const local = runLocal(name, invocation);
  if (local) return local;
  if (rest.length === 1 && GROUPS.has(name)) return { exitCode: 0, out: showGroup(name, terminal) };
  throw unknownCommand(rest);
};
