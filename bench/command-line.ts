import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './compare.ts';
import type { Answer } from './questions.ts';
import { issueKey, type Server, sqlite, startService } from './servers.ts';
import type { Setting } from './works.ts';

/** A command of the built file, with the time from its call to its end. */
const run = async (file: string, { origin }: Server, key: string, args: readonly string[]): Promise<number> => {
  const startedAt = performance.now();
  const command = Bun.spawn([file, ...args], {
    env: { PETSTORE_URL: origin, PETSTORE_API_KEY: key },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if ((await command.exited) !== 0) throw new Error(`petstore ${args.join(' ')} has failed`);
  return performance.now() - startedAt;
};

const askCommand = async (file: string, server: Server, key: string, count: number): Promise<Answer> => {
  const times: number[] = [];
  for (let round = 0; round < count; round += 1)
    times.push(await run(file, server, key, ['pets', 'list', '--limit', '5']));
  const ms = median(times);
  return {
    question: 'a command of the built file, from its call to its end',
    promise: '≤ 150 ms',
    answer: `${ms.toFixed(0)} ms`,
    isMet: ms <= 150,
  };
};

const EVERY_MS = 10;

/**
 * Reads an animal every ten milliseconds until told to stop. Its time counts from the instant at which it was due: whoever
 * waits for the one before would otherwise never be seen.
 */
const readMeanwhile = ({ origin }: Server, key: string) => {
  const times: number[] = [];
  let isOver = false;
  const reading = (async () => {
    for (let dueAt = performance.now(); !isOver; dueAt += EVERY_MS) {
      await Bun.sleep(Math.max(0, dueAt - performance.now()));
      const answer = await fetch(`${origin}/v1/pets?limit=1`, { headers: { Authorization: `Bearer ${key}` } });
      await answer.arrayBuffer();
      times.push(performance.now() - dueAt);
    }
  })();
  return async (): Promise<number[]> => {
    isOver = true;
    await reading;
    return times.sort((a, b) => a - b);
  };
};

const askImport = async (
  file: string,
  server: Server,
  key: string,
  { directory, animals }: Setting,
): Promise<Answer> => {
  const path = join(directory, 'animals.csv');
  const rows = Array.from({ length: animals }, (_, index) => `Animal ${index},${1 + (index % 6)},available`);
  writeFileSync(path, `name,categoryId,status\n${rows.join('\n')}\n`);
  const stop = readMeanwhile(server, key);
  const seconds = (await run(file, server, key, ['pets', 'import', path])) / 1000;
  const times = await stop();
  const p99Ms = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
  const perMillion = (seconds / animals) * 1e6;
  return {
    question: `\`petstore pets import\` of ${animals.toLocaleString('en')} animals over HTTP, while others read`,
    promise: '≤ 40 s a million, p99 of the others < 25 ms',
    answer: `${perMillion.toFixed(1)} s a million, p99 ${p99Ms.toFixed(1)} ms`,
    isMet: perMillion <= 40 && p99Ms < 25,
  };
};

/** What the command line of the built file takes, on an empty database. */
export const askCommandLine = async (file: string, setting: Setting): Promise<Answer[]> => {
  const server = await startService(sqlite(join(setting.directory, 'command-line.db')), setting.log, {}, [file]);
  try {
    const key = await issueKey(server);
    return [await askCommand(file, server, key, setting.starts), await askImport(file, server, key, setting)];
  } finally {
    await server.stop();
  }
};
