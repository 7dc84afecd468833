import { ROOT } from '../check/root.ts';

type Environment = Record<string, string | undefined>;

/** Returns the output of git, or empty text without git or outside a clone, as when the image is built. */
const git = (environment: Environment, ...args: string[]): string => {
  const program = Bun.which('git', { PATH: environment.PATH ?? '' });
  if (!program) return '';
  const { success, stdout } = Bun.spawnSync([program, ...args], { cwd: ROOT, stderr: 'ignore' });
  return success ? stdout.toString().trim() : '';
};

/** Returns the commit of the build. Adds `-changed` if the work tree differs from that commit. */
export const readCommit = (environment: Environment): string =>
  environment.PETSTORE_COMMIT ||
  `${git(environment, 'rev-parse', '--short=12', 'HEAD') || 'unknown'}${git(environment, 'status', '--porcelain') && '-changed'}`;
