import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './compare.ts';
import { runLoad } from './load.ts';
import { pinned, usageOf } from './processes.ts';
import { issueKey, type Server, sqlite, startService } from './servers.ts';
import type { Setting } from './works.ts';

export type Answer = { question: string; promise: string; answer: string; isMet: boolean };

type Filled = { added: number; seconds: number; longestMs: number };

export const fill = async (database: string, count: number): Promise<Filled> => {
  const command = pinned([process.execPath, join(import.meta.dir, 'fill.ts'), database, String(count)], 'server');
  const filling = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
  return JSON.parse(await new Response(filling.stdout).text());
};

export const askImport = ({ added, seconds, longestMs }: Filled): Answer => {
  const perMillion = (seconds / added) * 1e6;
  return {
    question: `import of ${added.toLocaleString('en')} pets with their events`,
    promise: '≤ 20 s per million, writer blocked for at most 50 ms',
    answer: `${perMillion.toFixed(1)} s per million, writer blocked for at most ${longestMs.toFixed(0)} ms`,
    isMet: perMillion <= 20 && longestMs <= 50,
  };
};

export const askGrowth = async (setting: Setting, databases: ReadonlyMap<number, string>): Promise<Answer[]> => {
  const servers: (Server & { size: number; key: string })[] = [];
  try {
    for (const [size, database] of databases) {
      const server = await startService(sqlite(database), setting.log);
      servers.push({ ...server, name: String(size), size, key: await issueKey(server) });
    }
    const answers: Answer[] = [];
    for (const kind of ['get', 'cold', 'create'] as const) {
      const times = new Map<number, number[]>(servers.map(({ size }) => [size, []]));
      for (const path of databases.values()) await cache(path);
      // The first round only warms up the program and is not counted.
      for (let round = 0; round <= setting.rounds; round += 1) {
        for (const { size, key, origin } of servers) {
          const load = { kind, key, origin, pets: size, cursorFile: `${setting.cursorFile}-${size}` };
          const { requests, seconds } = await runLoad({ ...load, seconds: setting.seconds, connections: 64 });
          if (round > 0) times.get(size)?.push((seconds / requests) * 1e6);
        }
      }
      const [first = 1, ...rest] = [...times.values()].map(median);
      const sizes = [...times.keys()].map((size) => `10^${Math.log10(size)}`);
      const most = Math.max(...rest) / first;
      answers.push({
        question: `time per request: ${{ get: 'get', cold: 'list at any depth', create: 'create' }[kind]}, ${sizes.join(', ')} pets`,
        promise: '≤ 1.35 × the time with the fewest pets',
        answer: `${[first, ...rest].map((micros) => `${micros.toFixed(0)} µs`).join(', ')}: ${most.toFixed(2)} ×`,
        isMet: most <= 1.35,
      });
    }
    return answers;
  } finally {
    for (const server of servers) await server.stop();
  }
};

export const askMemory = async (setting: Setting, requests: number): Promise<Answer> => {
  const server = await startService(sqlite(setting.database), setting.log);
  try {
    const key = await issueKey(server);
    const { pets, cursorFile } = setting;
    let sent = 0;
    const sendUpTo = async (count: number): Promise<number> => {
      while (sent < count) {
        const load = { origin: server.origin, kind: 'mixed' as const, key, pets, cursorFile, connections: 64 };
        sent += (await runLoad({ ...load, seconds: 1 })).requests;
      }
      return usageOf(server.pid).residentMb;
    };
    const [early, late] = [await sendUpTo(requests), await sendUpTo(10 * requests)];
    return {
      question: `memory after ${requests.toLocaleString('en')} requests, and after ten times that number`,
      promise: '≤ 150 MB, ≤ 1.2 ×',
      answer: `${early.toFixed(0)} MB, ${late.toFixed(0)} MB`,
      isMet: late <= 150 && late <= 1.2 * early,
    };
  } finally {
    await server.stop();
  }
};

/**
 * Reads the whole file, so that it is in the page cache. A virtual machine may evict pages that have not been used for
 * some minutes, and requests would then wait for the disk.
 */
export const cache = async (path: string): Promise<void> => {
  for await (const _ of Bun.file(path).stream());
};

export const copyOf = (database: string, name: string): string => {
  const copy = `${database}.${name}`;
  // An earlier copy with the same name may have left a WAL, which SQLite would apply to the new copy.
  for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(`${copy}${suffix}`, { force: true });
  cpSync(database, copy);
  return copy;
};
