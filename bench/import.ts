import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Others, startOthers } from './others.ts';
import type { Answer } from './questions.ts';
import { runCommand } from './run-command.ts';
import { issueKey, type Server } from './servers.ts';
import type { Setting } from './works.ts';

const PER_MILLION_S = 25;
const P99_MS = 25;

const ALONE_MS = 5000;

export const askImportByCommand = async (
  file: string,
  server: Server,
  key: string,
  { directory, pets }: Setting,
): Promise<Answer[]> => {
  const path = join(directory, 'pets.csv');
  const rows = Array.from({ length: pets }, (_, index) => `Pet ${index},${1 + (index % 6)},available`);
  writeFileSync(path, `name,categoryId,status\n${rows.join('\n')}\n`);
  const keys = [await issueKey(server), await issueKey(server, 2)];

  const stopAlone = startOthers(server, keys);
  await Bun.sleep(ALONE_MS);
  const alone = await stopAlone();
  const stop = startOthers(server, keys);
  const seconds = (await runCommand(file, server, key, ['pets', 'import', path])) / 1000;
  const meanwhile = await stop();

  const perMillion = (seconds / pets) * 1e6;
  const askP99 = (kind: keyof Others): Answer => ({
    question: `${kind} of other callers meanwhile, 50 a second`,
    promise: `p99 ≤ ${P99_MS} ms`,
    answer: `p99 ${meanwhile[kind].toFixed(1)} ms, ${alone[kind].toFixed(1)} ms alone`,
    isMet: meanwhile[kind] <= P99_MS,
  });
  return [
    {
      question: `\`petstore pets import\` of ${pets.toLocaleString('en')} pets over HTTP`,
      promise: `≤ ${PER_MILLION_S} s a million`,
      answer: `${perMillion.toFixed(1)} s a million`,
      isMet: perMillion <= PER_MILLION_S,
    },
    askP99('GET'),
    askP99('POST'),
  ];
};
