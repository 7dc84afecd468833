import { runCommand as run } from '../cli/commands/run-command.ts';
import type { Terminal } from '../cli/output/terminal.ts';
import { systemClock } from '../src/kernel/runtime.ts';

export const NO_TERMINAL: Terminal = {
  columns: undefined,
  hasColours: false,
  clock: systemClock,
  print: async () => {},
  tell: () => true,
  showProgress: () => {},
  onInterrupt: () => () => {},
  input: async function* () {},
  ask: async () => undefined,
  readSecret: async () => '',
};

export const runCommand = (
  args: readonly string[],
  environment: Record<string, string | undefined>,
  terminal = NO_TERMINAL,
) => run(args, environment, terminal);
