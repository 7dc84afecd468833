import { CLI } from './cli.ts';
import { CLIENT } from './client.ts';
import { CONSOLE } from './console.ts';
import { OPERATION } from './operation.ts';
import type { BrokenRules } from './rule.ts';

export const OUTSIDE: Readonly<Record<string, readonly BrokenRules[]>> = {
  'the command line': CLI,
  'the client': CLIENT,
  'the console': CONSOLE,
  'agents, backup, doctor and the generators': OPERATION,
};
