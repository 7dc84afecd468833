import type { RunCommand } from '../args/invocation.ts';
import { BadUsage } from '../args/read-arguments.ts';
import { suggest } from '../args/suggest.ts';
import bash from '../completion/bash.txt';
import fish from '../completion/fish.txt';
import zsh from '../completion/zsh.txt';
import { ARGUMENTS } from '../messages.ts';

const SCRIPTS: Record<string, string> = { bash, zsh, fish };

export const printCompletion: RunCommand = async (_, { positions: [shell = ''] }) => {
  const out = SCRIPTS[shell];
  if (out) return { exitCode: 0, out };
  const known = Object.keys(SCRIPTS);
  throw new BadUsage(ARGUMENTS.unknownShell(shell, suggest(shell, known)), `petstore completion ${known.join('|')}`);
};
