import type { Server } from './servers.ts';

export const runCommand = async (
  file: string,
  { origin }: Server,
  key: string,
  args: readonly string[],
): Promise<number> => {
  const startedAt = performance.now();
  const command = Bun.spawn([file, ...args], {
    env: { PETSTORE_URL: origin, PETSTORE_API_KEY: key },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if ((await command.exited) !== 0) throw new Error(`petstore ${args.join(' ')} failed`);
  return performance.now() - startedAt;
};
