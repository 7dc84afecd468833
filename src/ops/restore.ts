import { basename } from 'node:path';
import { readArguments } from '../../cli/args/read-arguments.ts';
import { readSettings, SETTING_FLAGS } from '../../cli/args/serve-flags.ts';
import { readConfig } from '../config.ts';
import { restore } from '../storage/maintenance.ts';
import { databaseShown } from './announce.ts';
import { describeFacts } from './backup.ts';
import { createProgress, type LocalCommand } from './terminal.ts';

export const runRestore: LocalCommand = async (args, environment) => {
  const { values, switches, positions } = readArguments(args, {
    flags: SETTING_FLAGS,
    switches: ['dry-run'],
    positions: ['file'],
  });
  const [from = ''] = positions;
  const config = readConfig(environment, readSettings(values));
  const progress = createProgress(basename(from));
  try {
    const holds = describeFacts(await restore(config, from, switches.has('dry-run'), progress.show));
    if (switches.has('dry-run')) return { exitCode: 0, out: `${from}: intact; ${holds}` };
    const where = databaseShown(config.DATABASE_URL);
    return { exitCode: 0, out: `Restored ${where} from ${from}: ${holds}. You can start the service now.` };
  } finally {
    progress.end();
  }
};
