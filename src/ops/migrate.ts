import { readMigrateFlags } from '../../cli/args/serve-flags.ts';
import type { CommandResult } from '../../cli/commands/run-command.ts';
import { readConfig } from '../config.ts';
import { migrate, planMigrations } from '../storage/maintenance.ts';
import { databaseShown } from './announce.ts';

/** `petstore migrate`: does what a start does to the schema, or says what that would be. */
export const runMigrate = async (
  args: readonly string[],
  environment: Record<string, string | undefined>,
): Promise<CommandResult> => {
  const { settings, isDryRun } = readMigrateFlags(args);
  const config = readConfig(environment, settings);
  const { seen, steps } = await planMigrations(config);
  const where = databaseShown(config.DATABASE_URL);
  if (steps.length === 0) return { exitCode: 0, out: `${where} has schema ${seen}: there is nothing to change.` };
  const list = steps.map((words, index) => `  schema ${seen + index + 1}: ${words}`).join('\n');
  if (isDryRun) return { exitCode: 0, out: `${where} has schema ${seen}. A start would bring it to:\n${list}` };
  const { copy, warning } = await migrate(config);
  const kept = copy ? `\nAs it was it is kept in ${copy}` : '';
  const err = warning === undefined ? {} : { err: `petstore: ${warning}` };
  return { exitCode: 0, out: `${where} had schema ${seen}. It was brought to:\n${list}${kept}`, ...err };
};
