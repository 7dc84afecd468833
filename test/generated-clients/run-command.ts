export type Command = { words: string[]; directory: string; environment?: Record<string, string> };

const PATIENCE_MS = 50 * 60_000;

export const runCommand = async ({ words, directory, environment = {} }: Command): Promise<string> => {
  const child = Bun.spawn(words, {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: PATIENCE_MS,
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const exitCode = await child.exited;
  if (exitCode !== 0) throw new Error(`${words.slice(0, 9).join(' ')} … exited with ${exitCode}:\n${out}${err}`);
  return out;
};
