import { join } from 'node:path';
import { median } from './compare.ts';
import { askImportByCommand } from './import.ts';
import type { Answer } from './questions.ts';
import { runCommand } from './run-command.ts';
import { issueKey, type Server, sqlite, startService } from './servers.ts';
import type { Setting } from './works.ts';

const askCommand = async (file: string, server: Server, key: string, count: number): Promise<Answer> => {
  const times: number[] = [];
  for (let round = 0; round < count; round += 1)
    times.push(await runCommand(file, server, key, ['pets', 'list', '--limit', '5']));
  const ms = median(times);
  return {
    question: 'a command of the built file, from start to exit',
    promise: '≤ 150 ms',
    answer: `${ms.toFixed(0)} ms`,
    isMet: ms <= 150,
  };
};

export const askCommandLine = async (file: string, setting: Setting): Promise<Answer[]> => {
  const server = await startService(
    sqlite(join(setting.directory, 'command-line.db')),
    setting.log,
    {},
    { command: [file] },
  );
  try {
    const key = await issueKey(server);
    return [
      await askCommand(file, server, key, setting.starts),
      ...(await askImportByCommand(file, server, key, setting)),
    ];
  } finally {
    await server.stop();
  }
};
