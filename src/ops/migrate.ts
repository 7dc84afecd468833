import { readMigrateFlags } from '../../cli/args/serve-flags.ts';
import { readConfig } from '../config.ts';
import { migrate, planMigrations } from '../storage/maintenance.ts';
import { databaseShown } from './announce.ts';
import type { LocalCommand } from './terminal.ts';

/** `petstore migrate`: migrates the schema as a start does, or shows the pending steps. */
export const runMigrate: LocalCommand = async (args, environment) => {
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
