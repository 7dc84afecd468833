import { constants, freemem, setPriority, totalmem } from 'node:os';
import { readArguments } from '../../cli/args/read-arguments.ts';
import { readSettings, SETTING_FLAGS } from '../../cli/args/serve-flags.ts';
import { alignColumns } from '../../cli/output/table.ts';
import { BadConfig, type Config, readConfig, VARIABLES } from '../config.ts';
import { type Finding, ok, warning, wrong } from '../kernel/finding.ts';
import { diagnoseDatabase } from '../storage/maintenance.ts';
import { ENOUGH_FILES, fileDescriptorLimit } from './descriptor-reserve.ts';
import type { LocalCommand } from './terminal.ts';

/** Maximum memory use of the process under attack. */
const ENOUGH_MEMORY_BYTES = 400_000_000;

type Settings = Record<string, string | undefined>;

const diagnoseFiles = (limit = fileDescriptorLimit()): Finding => {
  if (limit === undefined) return ok('open files', 'the system does not tell how many are allowed');
  if (limit >= ENOUGH_FILES) return ok('open files', `${limit} are allowed`);
  const advice = `raise it to ${ENOUGH_FILES} or more: LimitNOFILE= of systemd, ulimits of Docker, ulimit -n in a shell`;
  return warning('open files', `only ${limit} are allowed, and each connection is one`, advice);
};

const diagnoseMemory = (): Finding => {
  // A container may be allowed less memory than the machine has.
  const allowed = Math.min(process.constrainedMemory() || totalmem(), totalmem());
  const free = Math.min(allowed, freemem());
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
  const found = `${megabytes(free)} are free of ${megabytes(allowed)}`;
  if (allowed >= ENOUGH_MEMORY_BYTES) return ok('memory', found);
  return warning('memory', found, `give it ${megabytes(ENOUGH_MEMORY_BYTES)}: what it may need in a crowd`);
};

const diagnoseLimits = async ({ REDIS_URL: url, PETSTORE_REDIS_TIMEOUT_MS: timeoutMs }: Config): Promise<Finding[]> => {
  if (url === undefined) return [ok('Redis', 'none is set: windows are kept in the process and the database')];
  return (await import('../limits/redis/diagnose.redis.ts')).diagnoseRedis(url, timeoutMs);
};

/** Reads the settings; returns all problems as findings. */
const readSettingsFound = (environment: Settings, flags: Settings): { config?: Config; findings: Finding[] } => {
  try {
    const config = readConfig(environment, flags);
    const set = Object.keys(VARIABLES).filter((name) => flags[name] ?? environment[name]);
    return { config, findings: [ok('settings', set.length > 0 ? `valid; set are ${set.join(', ')}` : 'all defaults')] };
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error;
    return { findings: error.problems.map((problem) => wrong('settings', problem, 'docs/config.md has them all')) };
  }
};

const show = (findings: readonly Finding[]): string =>
  alignColumns(findings.map(({ part, state, found, advice }) => [state, part, advice ? `${found}: ${advice}` : found]));

/** `petstore doctor`: checks everything that a service with these settings needs, and gives advice. Changes nothing. */
export const runDoctor: LocalCommand = async (args, environment) => {
  const { values, switches } = readArguments(args, { flags: SETTING_FLAGS, switches: ['json'] });
  // Checking a large file takes seconds of a core. Requests to the service come first.
  setPriority(constants.priority.PRIORITY_LOW);
  const { config, findings } = readSettingsFound(environment, readSettings(values));
  if (config) findings.push(...(await diagnoseDatabase(config)), ...(await diagnoseLimits(config)));
  const all = [...findings, diagnoseFiles(), diagnoseMemory()];
  const exitCode = all.some(({ state }) => state === 'wrong') ? 1 : 0;
  return { exitCode, out: switches.has('json') ? JSON.stringify(all) : show(all) };
};
