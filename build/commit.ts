import { ROOT } from '../check/root.ts';

type Environment = Record<string, string | undefined>;

const git = (environment: Environment, ...args: string[]): string => {
  const program = Bun.which('git', { PATH: environment.PATH ?? '' });
  if (!program) return '';
  const { success, stdout } = Bun.spawnSync([program, ...args], { cwd: ROOT, stderr: 'ignore' });
  return success ? stdout.toString().trim() : '';
};

/** These files may have uncommitted changes, because other measurements may already have updated them. */
const RESULTS = [':!bench/results', ':!prove/results.json', ':!docs', ':!*.md'];

export const measuredCommit = (...options: string[]): string => {
  const commit = git(process.env, 'rev-parse', ...options, 'HEAD') || 'unknown';
  return git(process.env, 'status', '--porcelain', '--', ...RESULTS) ? `${commit} with changes` : commit;
};

export const readCommit = (environment: Environment): string =>
  environment.PETSTORE_COMMIT ||
  `${git(environment, 'rev-parse', '--short=12', 'HEAD') || 'unknown'}${git(environment, 'status', '--porcelain') && '-changed'}`;
