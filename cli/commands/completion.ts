import type { CommandResult } from '../args/invocation.ts';
import { type Arguments, BadUsage } from '../args/read-arguments.ts';
import { suggest } from '../args/suggest.ts';
import bash from '../completion/bash.txt';
import fish from '../completion/fish.txt';
import zsh from '../completion/zsh.txt';
import { ARGUMENTS } from '../messages.ts';
import type { Command } from './command.ts';

const SCRIPTS: Record<string, string> = { bash, zsh, fish };

export const completionScript = (shell: string): string => {
  const script = SCRIPTS[shell];
  if (script) return script;
  const known = Object.keys(SCRIPTS);
  throw new BadUsage(ARGUMENTS.unknownShell(shell, suggest(shell, known)), `petstore completion ${known.join('|')}`);
};

export const printCompletion = async (_: Command, { positions }: Arguments): Promise<CommandResult> => ({
  exitCode: 0,
  out: completionScript(positions[0] ?? ''),
});
