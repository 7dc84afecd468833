import { existsSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename, join } from 'node:path';
import type { CommandResult } from '../../cli/args/invocation.ts';
import { BadUsage, readArguments } from '../../cli/args/read-arguments.ts';
import { readDuration, readSettings, SETTING_FLAGS } from '../../cli/args/serve-flags.ts';
import type { Variables } from '../../cli/args/variables.ts';
import { counted, pets } from '../../cli/messages.ts';
import { readConfig } from '../config.ts';
import { systemClock } from '../kernel/runtime.ts';
import { type BackupFacts, backUp, restore } from '../storage/maintenance.ts';
import { BackupYielded } from '../storage/unusable.ts';
import { databaseShown } from './announce.ts';
import { backupIn, keepNewest, usualFolder } from './backup-folder.ts';
import { repeatBackups, TRY_AGAIN } from './backup-schedule.ts';
import { stopSignal } from './signals.ts';
import { createProgress, type LocalCommand } from './terminal.ts';

const KEPT = 24;

const readKeep = (text: string): number => {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count < 1) throw new BadUsage(`--keep must be an integer from 1 to 999999, not "${text}"`);
  return count;
};

const isFolder = (path: string): boolean => path.endsWith('/') || (existsSync(path) && statSync(path).isDirectory());

const readWanted = (args: readonly string[], environment: Variables) => {
  const { values, positions } = readArguments(args, {
    flags: [...SETTING_FLAGS, 'every', 'keep'],
    positions: ['file or folder'],
    isLastOptional: true,
  });
  const settings = readSettings(values);
  const config = readConfig(environment, settings);
  const [every, keep] = [values.get('every'), values.get('keep')];
  const everyMs = every === undefined ? undefined : readDuration('every', every);
  const isMany = every !== undefined || keep !== undefined;
  const [path = isMany ? usualFolder(config) : undefined] = positions;
  if (path === undefined) throw new BadUsage('<file or folder> is missing; give the path of the backup to write');
  if (isMany && existsSync(path) && statSync(path).isFile())
    throw new BadUsage(`--every and --keep need a folder, but ${path} is a file`);
  return {
    config,
    settings,
    path,
    isFolder: isMany || isFolder(path),
    everyMs,
    keep: keep === undefined ? everyMs && KEPT : readKeep(keep),
  };
};

const describeFacts = ({ rows, ...facts }: BackupFacts): string => {
  const counts = [counted(facts.stores, 'store'), pets(rows.pets ?? 0), counted(rows.orders ?? 0, 'order')];
  const made = `made ${new Date(facts.madeAt).toISOString()} by version ${facts.version}, schema ${facts.schema}`;
  return [facts.environment, ...counts, made, ...(facts.isSourceChecked ? [] : ['source not checked'])].join(', ');
};

/** The process must exit after this call, because the thread of a cancelled backup keeps running until then. */
const makeOne = async ({ config, path, isFolder, keep }: ReturnType<typeof readWanted>): Promise<CommandResult> => {
  const to = isFolder ? backupIn(path, systemClock()) : path;
  using progress = createProgress(basename(to));
  try {
    // Lowers the priority, so that the backup does not slow down the service. Threads that start later inherit the low
    // priority.
    setPriority(constants.priority.PRIORITY_LOW);
    const { facts, bytes } = await backUp(config, to, {
      signal: stopSignal(),
      tell: ({ doneBytes, totalBytes, step }) =>
        progress.show(doneBytes, totalBytes, step === 'copying' ? undefined : step),
    });
    const removed = isFolder && keep !== undefined ? await keepNewest(path, keep, systemClock(), to) : [];
    const gone = removed.length > 0 ? `\nremoved ${removed.join(', ')}` : '';
    const size = `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
    return { exitCode: 0, out: `${to}: intact, ${size}; ${describeFacts(facts)}${gone}` };
  } catch (error) {
    if (error instanceof BackupYielded) return { exitCode: TRY_AGAIN, err: `petstore: ${error.message}` };
    throw error;
  }
};

export const runBackup: LocalCommand = async (args, environment) => {
  const wanted = readWanted(args, environment);
  const { everyMs, path, keep, settings } = wanted;
  if (everyMs === undefined) return makeOne(wanted);
  await repeatBackups(everyMs, ['backup', join(path, '/'), '--keep', String(keep)], { ...environment, ...settings });
  return { exitCode: 0 };
};

export const runRestore: LocalCommand = async (args, environment) => {
  const { values, switches, positions } = readArguments(args, {
    flags: SETTING_FLAGS,
    switches: ['dry-run'],
    positions: ['file'],
  });
  const [from = ''] = positions;
  const config = readConfig(environment, readSettings(values));
  using progress = createProgress(basename(from));
  const holds = describeFacts(await restore(config, from, switches.has('dry-run'), progress.show));
  if (switches.has('dry-run')) return { exitCode: 0, out: `${from}: intact; ${holds}` };
  const where = databaseShown(config.DATABASE_URL);
  return { exitCode: 0, out: `Restored ${where} from ${from}: ${holds}. You can start the service now.` };
};
