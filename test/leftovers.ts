import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { dropDatabase, query } from './servers/databases.ts';
import { waitFor } from './wait-for.ts';

const readProcess = (pid: string) => {
  const read = (name: string, how: (path: string) => string): string => {
    try {
      return how(join('/proc', pid, name));
    } catch {
      return '';
    }
  };
  const text = (path: string) => readFileSync(path, 'utf8');
  const command = read('cmdline', text).replaceAll('\0', ' ').trim();
  return { command, traces: [command, read('environ', text), read('cwd', readlinkSync)] };
};

/**
 * Finds the processes that the tests started. The run's directory appears in their environment, command line or working
 * directory.
 */
const findProcesses = (directory: string) => {
  let pids: string[] = [];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    // On systems without `/proc`, this function finds no processes.
  }
  return pids
    .map((pid) => ({ pid: Number(pid), ...readProcess(pid) }))
    .filter(({ traces }) => traces.some((trace) => trace.includes(directory)));
};

const isNone = (found: readonly unknown[]): boolean => found.length === 0;

export const endProcesses = async (directory: string, atOnce: boolean): Promise<string[]> => {
  const find = () => findProcesses(directory);
  const left = atOnce ? find() : await waitFor('the processes of the tests exit', find, isNone).catch(find);
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  await waitFor('the processes of the tests have exited', find, isNone);
  return left.map(({ pid, command }) => `process ${pid}: ${command}`);
};

export const dropDatabases = async (server: string, run: string): Promise<string[]> => {
  const rows = await query(server, 'SELECT datname FROM pg_database WHERE datname ~ $1', [`^(test|petstore)_${run}_`]);
  const names = rows.map(({ datname }): string => datname);
  for (const name of names) await dropDatabase(server, new URL(`/${name}`, server).href);
  return names.filter((name) => name.startsWith('test_')).map((name) => `database ${name}`);
};

export const findFiles = (directory: string): string[] => readdirSync(directory).map((name) => `file ${name}`);
