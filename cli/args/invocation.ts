import type { Command } from '../commands/command.ts';
import { type ConnectionFlags, readConnection } from '../commands/connection.ts';
import type { Environment, Profile } from '../commands/profiles.ts';
import type { Terminal } from '../output/terminal.ts';
import { type Arguments, readArguments } from './read-arguments.ts';

/** How a command is called: what stands behind its words, the flags before them, and where. */
export type Invocation = {
  args: readonly string[];
  before: ConnectionFlags;
  environment: Environment;
  terminal: Terminal;
};

/** How a command ended, and what to print where. */
export type CommandResult = { exitCode: number; out?: string; err?: string };

export const REFUSED = 1;

/** The arguments as the command takes them. */
export const readInvocation = ({ words, positions, flags, shared }: Command, { args }: Invocation): Arguments => {
  const all = [...flags, ...shared];
  return readArguments(args, {
    flags: all.filter(({ value }) => value !== undefined).map(({ flag }) => flag),
    switches: all.filter(({ value }) => value === undefined).map(({ flag }) => flag),
    required: flags.filter(({ required }) => required).map(({ flag }) => flag),
    positions: positions.map(({ name }) => name),
    hint: `petstore ${words} --help`,
  });
};

/** The flags that say which service and which key: those before the command, and those behind it that are not its own. */
const connectionFlags = ({ shared }: Command, { values }: Arguments, { before }: Invocation): ConnectionFlags =>
  new Map([...before, ...[...values].filter(([flag]) => shared.some((one) => one.flag === flag))]);

/** The service that the command is for, and its key. */
export const connectionOf = (command: Command, given: Arguments, invocation: Invocation): Promise<Profile> =>
  readConnection(connectionFlags(command, given, invocation), invocation.environment, invocation.terminal);
