import { BadUsage, readArguments } from '../../cli/args/read-arguments.ts';
import { readSettings, SETTING_FLAGS } from '../../cli/args/serve-flags.ts';
import { count } from '../../cli/messages.ts';
import { ROWS } from '../../cli/output/progress.ts';
import { alignColumns } from '../../cli/output/table.ts';
import { readConfig } from '../config.ts';
import { type Compared, move } from '../storage/maintenance.ts';
import { databaseShown } from './announce.ts';
import { stopSignal } from './signals.ts';
import { createProgress, type LocalCommand } from './terminal.ts';

const show = (compared: readonly Compared[]): string =>
  alignColumns([
    ['table', 'rows', 'checksum', ''],
    ...compared.map(({ table, source, target, isEqual }) => {
      const differs = isEqual ? '' : `differs: ${count(target.rows)} rows, ${target.checksum} in the target`;
      return [table, count(source.rows), source.checksum, differs];
    }),
  ]);

export const runMove: LocalCommand = async (args, environment) => {
  const { values } = readArguments(args, { flags: [...SETTING_FLAGS, 'from', 'to'] });
  const [from, to] = [values.get('from'), values.get('to')];
  if (from === undefined && to === undefined) throw new BadUsage('--from or --to is missing');
  const settings = readSettings(values);
  // Passwords must not appear in flags. Therefore, if `--from` or `--to` is missing, DATABASE_URL is used in its place.
  const place = (url: string | undefined) =>
    readConfig(environment, url ? { ...settings, DATABASE_URL: url } : settings);
  const [source, target] = [place(from), place(to)];
  const names = [source, target].map(({ DATABASE_URL }) => databaseShown(DATABASE_URL)).join(' to ');
  let [shown, progress] = ['', createProgress('', ROWS)];
  try {
    const compared = await move(source, target, {
      signal: stopSignal(),
      tell: (step, doneRows, totalRows) => {
        if (step !== shown) [shown, progress] = [step, createProgress(step, ROWS)];
        progress.show(doneRows, totalRows);
      },
    });
    const differing = compared.filter(({ isEqual }) => !isEqual).map(({ table }) => table);
    if (differing.length === 0)
      return {
        exitCode: 0,
        out: `${show(compared)}\nMoved ${names}: all tables match. You can start the service now.`,
      };
    const advice = 'the source has changed since the move began; empty the target, then run the command again';
    return { exitCode: 1, out: show(compared), err: `petstore: ${differing.join(', ')} differ: ${advice}` };
  } finally {
    progress.end();
  }
};
