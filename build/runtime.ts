import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockedPackage } from './lock.ts';
import { endingOf, TARGETS, type Target } from './targets.ts';

const run = async (directory: string, ...command: string[]): Promise<void> => {
  const child = Bun.spawn(command, { cwd: directory, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' });
  if ((await child.exited) !== 0) throw new Error(`${command.slice(0, 2).join(' ')} failed`);
};

export const withRuntime = async <Result>(target: Target, use: (path: string) => Promise<Result>): Promise<Result> => {
  const { version, integrity } = lockedPackage(`node_modules/${TARGETS[target]}`);
  const directory = mkdtempSync(join(tmpdir(), 'petstore-runtime-'));
  try {
    await run(directory, 'npm', 'pack', '--silent', `${TARGETS[target]}@${version}`);
    const [packed = ''] = [...new Bun.Glob('*.tgz').scanSync(directory)];
    const digest = new Bun.CryptoHasher('sha512').update(await Bun.file(join(directory, packed)).bytes());
    if (integrity !== `sha512-${digest.digest('base64')}`) throw new Error('it is not what package-lock.json names');
    await run(directory, 'tar', '-xzf', packed);
    return await use(join(directory, 'package', 'bin', `bun${endingOf(target)}`));
  } finally {
    rmSync(directory, { recursive: true });
  }
};
