import { ROOT } from '../check/root.ts';

type Environment = Record<string, string | undefined>;

/** What git says, or nothing where it is not installed or this is no clone: the image is built without either. */
const git = (environment: Environment, ...args: string[]): string => {
  const program = Bun.which('git', { PATH: environment.PATH ?? '' });
  if (!program) return '';
  const { success, stdout } = Bun.spawnSync([program, ...args], { cwd: ROOT, stderr: 'ignore' });
  return success ? stdout.toString().trim() : '';
};

/** Of what the file is made: a commit, with a mark if files differ from it. */
export const readCommit = (environment: Environment): string =>
  environment.PETSTORE_COMMIT ||
  `${git(environment, 'rev-parse', '--short=12', 'HEAD') || 'unknown'}${git(environment, 'status', '--porcelain') && '-changed'}`;
