import { ROOT } from '../check/root.ts';

type Environment = Record<string, string | undefined>;

const git = (environment: Environment, ...args: string[]): string => {
  const program = Bun.which('git', { PATH: environment.PATH ?? '' });
  if (!program) return '';
  const { success, stdout } = Bun.spawnSync([program, ...args], { cwd: ROOT, stderr: 'ignore' });
  return success ? stdout.toString().trim() : '';
};

export const readCommit = (environment: Environment): string =>
  environment.PETSTORE_COMMIT ||
  `${git(environment, 'rev-parse', '--short=12', 'HEAD') || 'unknown'}${git(environment, 'status', '--porcelain') && '-changed'}`;
