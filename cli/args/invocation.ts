import type { FieldError, PetstoreError } from '../../client/src/index.ts';
import type { Command } from '../commands/command.ts';
import { type ConnectionFlags, readConnection } from '../commands/connection.ts';
import type { Environment, Profile } from '../commands/profiles.ts';
import type { Terminal } from '../output/terminal.ts';
import { type Arguments, readArguments } from './read-arguments.ts';

export type Invocation = {
  args: readonly string[];
  before: ConnectionFlags;
  environment: Environment;
  terminal: Terminal;
};

export type CommandResult = {
  exitCode: number;
  out?: string | undefined;
  err?: string | undefined;
  /** Set if the output contains a secret. The service shows a secret only once, so this output must not be lost. */
  isSecret?: true;
  problem?: Pick<PetstoreError, 'code' | 'status' | 'requestId'> & { errors?: readonly FieldError[] | undefined };
};

export type RunCommand = (command: Command, given: Arguments, invocation: Invocation) => Promise<CommandResult>;

export const REFUSED = 1;

export const readInvocation = ({ words, positions, flags, shared }: Command, { args }: Invocation): Arguments => {
  const all = [...flags, ...shared];
  return readArguments(args, {
    flags: all.filter(({ value }) => value !== undefined).map(({ flag }) => flag),
    lists: all.filter(({ value }) => value === 'a,b').map(({ flag }) => flag),
    switches: all.filter(({ value }) => value === undefined).map(({ flag }) => flag),
    required: flags.filter(({ required }) => required).map(({ flag }) => flag),
    positions: positions.map(({ name }) => name),
    hint: `petstore ${words} --help`,
  });
};

export const connectionOf = ({ shared }: Command, { values }: Arguments, invocation: Invocation): Promise<Profile> => {
  const { before, environment, terminal } = invocation;
  const after = [...values].filter(([flag]) => shared.some((one) => one.flag === flag));
  return readConnection(new Map([...before, ...after]), environment, terminal);
};
