import { readArguments } from '../../cli/args/read-arguments.ts';
import { readSettings, SETTING_FLAGS } from '../../cli/args/serve-flags.ts';
import { readConfig } from '../config.ts';
import { migrate, planMigrations } from '../storage/maintenance.ts';
import { databaseShown } from './announce.ts';
import type { LocalCommand } from './terminal.ts';

export const runMigrate: LocalCommand = async (args, environment) => {
  const { values, switches } = readArguments(args, { flags: SETTING_FLAGS, switches: ['dry-run'] });
  const config = readConfig(environment, readSettings(values));
  const { seen, steps } = await planMigrations(config);
  const where = databaseShown(config.DATABASE_URL);
  if (steps.length === 0) return { exitCode: 0, out: `${where} has schema ${seen}: no migrations pending.` };
  const list = steps.map((words, index) => `  schema ${seen + index + 1}: ${words}`).join('\n');
  if (switches.has('dry-run')) return { exitCode: 0, out: `${where} has schema ${seen}. Pending migrations:\n${list}` };
  const { copy, warning } = await migrate(config);
  const kept = copy ? `\nA copy made before the migration is in ${copy}` : '';
  const err = warning && `petstore: ${warning}`;
  return { exitCode: 0, out: `${where} had schema ${seen}. Applied migrations:\n${list}${kept}`, err };
};
