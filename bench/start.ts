import { median } from './compare.ts';
import type { Answer } from './questions.ts';
import { type Server, sqlite, startBareBun, startService } from './servers.ts';
import type { Setting } from './works.ts';

type Start = { name: string; maxMs: number; begin(): Promise<Server> };

export const askStart = async (
  file: string,
  { log, starts }: Setting,
  databases: ReadonlyMap<string, string>,
): Promise<Answer[]> => {
  const ways: Start[] = [...databases].flatMap(([name, database]) => [
    {
      name: `the built file, ${name}`,
      maxMs: 80,
      begin: () => startService(sqlite(database), log, {}, { command: [file] }),
    },
    { name: `from source, ${name}`, maxMs: 250, begin: () => startService(sqlite(database), log) },
  ]);
  const bare: Start = { name: 'bare', maxMs: Number.POSITIVE_INFINITY, begin: () => startBareBun(log) };
  const times = new Map<Start, number[]>([...ways, bare].map((way) => [way, []]));
  // The first round only warms up the disk caches and is not counted.
  for (let round = 0; round <= starts; round += 1) {
    for (const [way, taken] of times) {
      const startedAt = performance.now();
      const server = await way.begin();
      if (round > 0) taken.push(performance.now() - startedAt);
      await server.stop();
    }
  }
  const bareMs = median(times.get(bare) as number[]);
  const megabytes = Bun.file(file).size / 1e6;
  return [
    ...ways.map((way) => {
      const ms = median(times.get(way) as number[]);
      return {
        question: `time from start to first 200, ${way.name}`,
        promise: `≤ ${way.maxMs} ms`,
        answer: `${ms.toFixed(0)} ms (a bare \`Bun.serve\`: ${bareMs.toFixed(0)} ms)`,
        isMet: ms <= way.maxMs,
      };
    }),
    {
      question: 'size of the built file',
      promise: 'an image under 130 MB',
      answer: `${megabytes.toFixed(1)} MB`,
      // The image contains the built file, plus 11 MB for Alpine and a library that Bun needs.
      isMet: megabytes + 11 < 130,
    },
  ];
};
