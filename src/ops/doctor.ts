import { constants, freemem, setPriority, totalmem } from 'node:os';
import { readArguments } from '../../cli/args/read-arguments.ts';
import { readSettings, SETTING_FLAGS } from '../../cli/args/serve-flags.ts';
import type { Variables } from '../../cli/args/variables.ts';
import { alignColumns } from '../../cli/output/table.ts';
import { BadConfig, type Config, readConfig, VARIABLES } from '../config.ts';
import { type Finding, ok, warning, wrong } from '../kernel/finding.ts';
import { diagnoseDatabase } from '../storage/maintenance.ts';
import { ENOUGH_FILES, fileDescriptorLimit } from './descriptor-reserve.ts';
import type { LocalCommand } from './terminal.ts';

const ENOUGH_MEMORY_BYTES = 400_000_000;

const diagnoseFiles = (limit = fileDescriptorLimit()): Finding => {
  if (limit === undefined) return ok('open files', 'the system does not report the limit');
  if (limit >= ENOUGH_FILES) return ok('open files', `the limit is ${limit}`);
  const advice = `raise it to ${ENOUGH_FILES} or more (systemd: LimitNOFILE=, Docker: ulimits, shell: ulimit -n)`;
  return warning('open files', `the limit is only ${limit}, and each connection uses one file descriptor`, advice);
};

const diagnoseMemory = (): Finding => {
  const allowed = Math.min(process.constrainedMemory() || totalmem(), totalmem());
  const free = Math.min(allowed, freemem());
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
  const found = `${megabytes(free)} free of ${megabytes(allowed)}`;
  if (allowed >= ENOUGH_MEMORY_BYTES) return ok('memory', found);
  const advice = `allow at least ${megabytes(ENOUGH_MEMORY_BYTES)}, which the service may need under heavy load`;
  return warning('memory', found, advice);
};

const diagnoseLimits = async ({ REDIS_URL: url, PETSTORE_REDIS_TIMEOUT_MS: timeoutMs }: Config): Promise<Finding[]> => {
  if (url === undefined)
    return [ok('Redis', 'not configured: each instance counts requests itself and saves the counts in the database')];
  return (await import('../limits/redis/diagnose.redis.ts')).diagnoseRedis(url, timeoutMs);
};

const diagnoseProblem = (problem: string): Finding => {
  const [, found = problem, advice = 'see docs/config.md'] = /^(.*); (.*see docs\/config\.md)$/s.exec(problem) ?? [];
  return wrong('settings', found, advice);
};

const readSettingsFound = (environment: Variables, flags: Variables): { config?: Config; findings: Finding[] } => {
  try {
    const config = readConfig(environment, flags);
    const given = { ...environment, ...flags };
    const set = Object.keys(VARIABLES).filter((name) => given[name] || given[`${name}_FILE`]);
    return { config, findings: [ok('settings', set.length > 0 ? `valid; set: ${set.join(', ')}` : 'all defaults')] };
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error;
    return { findings: error.problems.map(diagnoseProblem) };
  }
};

const show = (findings: readonly Finding[]): string =>
  alignColumns(findings.map(({ part, state, found, advice }) => [state, part, advice ? `${found}: ${advice}` : found]));

export const runDoctor: LocalCommand = async (args, environment) => {
  const { values, switches } = readArguments(args, { flags: SETTING_FLAGS, switches: ['json'] });
  setPriority(constants.priority.PRIORITY_LOW);
  const { config, findings } = readSettingsFound(environment, readSettings(values));
  if (config) findings.push(...(await diagnoseDatabase(config)), ...(await diagnoseLimits(config)));
  const all = [...findings, diagnoseFiles(), diagnoseMemory()];
  const exitCode = all.some(({ state }) => state === 'wrong') ? 1 : 0;
  return { exitCode, out: switches.has('json') ? JSON.stringify(all) : show(all) };
};
