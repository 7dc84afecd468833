import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChangelogFaults } from './changelog.ts';
import { ROOT } from './root.ts';

const git = (root: string, ...words: string[]): string | undefined => {
  const { success, stdout } = Bun.spawnSync(['git', ...words], { cwd: root, stderr: 'ignore' });
  return success ? stdout.toString().trimEnd() : undefined;
};

const linesOf = (text = ''): string[] => text.split('\n').filter(Boolean);

const shorten = (names: readonly string[], most: number, between = ', '): string =>
  names.length > most
    ? `${names.slice(0, most).join(between)}${between}and ${names.length - most} more`
    : names.join(between);

const readJson = (root: string, path: string) =>
  existsSync(join(root, path)) ? JSON.parse(readFileSync(join(root, path), 'utf8')) : {};

export const findUncommitted = (root: string, ...paths: string[]): string[] =>
  linesOf(git(root, 'status', '--porcelain', '--untracked-files=all', '--', ...paths)).map((line) => line.slice(3));

const findVersionFaults = async (root: string, version: string): Promise<string[]> => {
  const { VERSION } = await import(join(root, 'src/version.ts'));
  const found = {
    'package-lock.json': readJson(root, 'package-lock.json').version,
    'client/package.json': readJson(root, 'client/package.json').version,
    'src/version.ts': VERSION,
  };
  return Object.entries(found)
    .filter(([, other]) => other !== version)
    .map(([path, other]) => `${path} has version ${other}, but package.json has ${version}; make them the same`);
};

/** `commit` is the measured commit. `command` repeats the measurement. */
type Figures = { from: string; commit?: string; command: string };

const readNewest = (root: string, command: string, name: RegExp): Figures => {
  const results = existsSync(join(root, 'bench/results')) ? readdirSync(join(root, 'bench/results')) : [];
  const matching = results.filter((result) => name.test(result)).sort();
  const from = `bench/results/${matching.at(-1) ?? ''}`;
  return { from, commit: matching.length > 0 ? readJson(root, from).commit : undefined, command };
};

const readFigures = (root: string): Figures[] => {
  const proofs = Object.entries<{ commit: string }>(readJson(root, 'prove/results.json'));
  const proved = [...Map.groupBy(proofs, ([, { commit }]) => commit)].map(([commit, found]) => {
    const names = found.map(([name]) => name);
    return { from: `prove/results.json (${shorten(names, 3)})`, commit, command: 'npm run prove' };
  });
  return [
    readNewest(root, 'npm run bench', /^[\w-]+\.json$/),
    readNewest(root, 'npm run bench -- --peers', /\.peers\.json$/),
    ...(proved.length > 0 ? proved : [{ from: 'prove/results.json', command: 'npm run prove' }]),
  ];
};

const transpiler = new Bun.Transpiler({ loader: 'ts' });

/** Removes comments and types from the code, because a change to a comment or a type cannot change a figure. */
const readCode = (root: string, commit: string, path: string): string | undefined => {
  const text = git(root, 'show', `${commit}:${path}`);
  return text !== undefined && path.endsWith('.ts') ? transpiler.transformSync(text) : text;
};

const findChangedCode = (root: string, commit: string): Set<string> => {
  const changed = linesOf(git(root, 'diff', '--name-only', '--no-renames', commit, 'HEAD', '--', 'src'));
  const code = changed.filter((path) => !/\.(?:test|suite)\.ts$/.test(path));
  return new Set(code.filter((path) => readCode(root, commit, path) !== readCode(root, 'HEAD', path)));
};

/** Figures are up to date if the code in `src/` has not changed since the measured commit. */
const findOldFigures = (root: string, { from, commit, command }: Figures): string[] => {
  if (!commit) return [`${from} has no figures; run \`${command}\` and commit the result`];
  const again = `run \`${command}\` again on a clean tree, and commit the result`;
  if (commit.includes(' ')) return [`${from} was measured on ${commit}, so nobody can repeat it; ${again}`];
  if (git(root, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`) === undefined)
    return [`${from} was measured on ${commit}, which is not in this clone; fetch the whole history, or ${again}`];
  // With `-c`, git lists a file under a merge commit only if the file differs from its version in every parent. All
  // other changes are listed under the commits that made them.
  const log = git(root, 'log', '-c', '--format=%x00%h %s', '--name-only', `${commit}...HEAD`, '--', 'src') ?? '';
  const changed = findChangedCode(root, commit);
  const later = log.split('\0').flatMap((text) => {
    const [subject, ...all] = linesOf(text);
    const files = all.filter((path) => changed.has(path));
    return files.length > 0 ? [`${subject}: ${shorten(files, 5)}`] : [];
  });
  const list = shorten(later, 10, '\n    ');
  return list ? [`${from} was measured on ${commit}, without these changes to src/; ${again}\n    ${list}`] : [];
};

export const findRefusals = async (root = ROOT): Promise<string[]> => {
  if (git(root, 'rev-parse', 'HEAD') === undefined)
    return [`${root} is not a git clone with a commit; release from a clone`];
  const { version } = readJson(root, 'package.json');
  const changed = findUncommitted(root, '.');
  return [
    ...(changed.length > 0 ? [`there are uncommitted changes; commit or stash them: ${shorten(changed, 5)}`] : []),
    ...(await findVersionFaults(root, version)),
    ...findChangelogFaults(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version),
    ...readFigures(root).flatMap((figures) => findOldFigures(root, figures)),
  ];
};
