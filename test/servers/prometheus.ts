import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServerProcess, freePort, makeServerDirectory, runTool } from './server-process.ts';

export const findPrometheus = () => {
  const server = Bun.which('prometheus');
  const tool = Bun.which('promtool');
  return server && tool ? { server, tool } : undefined;
};

type Files = Record<string, string>;

export const startPrometheus = async (files: Files) => {
  const programs = findPrometheus();
  if (!programs) throw new Error('Prometheus is not installed; install it with npm run services:install');
  const directory = makeServerDirectory('prometheus');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const origin = `http://127.0.0.1:${await freePort()}`;
  const server = createServerProcess({
    directory,
    command: [
      programs.server,
      '--config.file=prometheus.yml',
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=${new URL(origin).host}`,
    ],
    isReady: async () => {
      const answer = await fetch(`${origin}/-/ready`).catch(() => undefined);
      return answer?.ok ?? false;
    },
  });
  const remove = async () => {
    await server.end('SIGKILL');
    server.removeDirectory();
  };
  await server.start();

  const read = async (path: string): Promise<any> => {
    const answer = (await (await fetch(`${origin}/api/v1/${path}`)).json()) as { data: unknown };
    return answer.data;
  };
  return {
    check: (...words: string[]) => runTool(directory, [programs.tool, 'check', ...words]),
    count: async (query: string): Promise<number> =>
      (await read(`query?query=${encodeURIComponent(query)}`)).result.length,
    targets: async (): Promise<string[]> =>
      (await read('targets')).activeTargets.map(({ health }: { health: string }) => health),
    firing: async (): Promise<string[]> =>
      (await read('alerts')).alerts
        .filter(({ state }: { state: string }) => state === 'firing')
        .map(({ labels }: { labels: { alertname: string } }) => labels.alertname),
    remove,
  };
};

export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>;
