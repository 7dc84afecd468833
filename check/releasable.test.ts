import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { renderNotes } from './changelog.ts';
import { findRefusals, findUncommitted } from './releasable.ts';

const made: string[] = [];
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true });
});

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Added\n\n## 1.2.0 - 2026-11-20\n\n### Added\n\n- A color.\n';
const VERSION = `import program from '../package.json' with { type: 'json' };\nexport const VERSION = program.version;\n`;

/** Creates a clone that is ready for release and already contains the results of the benchmark and the proofs. */
const createClone = () => {
  const root = mkdtempSync(join(tmpdir(), 'petstore-release-'));
  made.push(root);
  const git = (...words: string[]): string => {
    const named = ['git', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words];
    const { success, stdout, stderr } = Bun.spawnSync(named, { cwd: root });
    if (!success) throw new Error(`git ${words.join(' ')} failed: ${stderr}`);
    return stdout.toString().trim();
  };
  const write = (path: string, text: string | object): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof text === 'string' ? text : JSON.stringify(text));
  };
  const commit = (subject: string, files: Record<string, string | object> = {}): string => {
    for (const [path, text] of Object.entries(files)) write(path, text);
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', subject);
    return git('rev-parse', '--short', 'HEAD');
  };
  const measure = (at: string): void => {
    write('bench/results/2026-11-19.json', { commit: at });
    write('bench/results/2026-11-19.peers.json', { commit: at });
    write('prove/results.json', { chaos: { commit: at }, soak: { commit: at } });
  };
  git('init', '--quiet');
  const versions = ['package.json', 'package-lock.json', 'client/package.json'];
  commit('first', {
    ...Object.fromEntries(versions.map((path) => [path, { version: '1.2.0' }])),
    'src/version.ts': VERSION,
    'CHANGELOG.md': CHANGELOG,
    'bench/results/2026-11-18.json': { commit: 'unknown' },
  });
  measure(git('rev-parse', 'HEAD'));
  return { root, git, write, commit, measure, measured: commit('figures') };
};

type Clone = ReturnType<typeof createClone>;

describe('a release', () => {
  test('is possible from a clean clone whose figures describe its code', async () => {
    const { root, commit } = createClone();
    commit('documents and tests may change after the measurement', { 'docs/a.md': '', 'test/a.test.ts': '' });
    expect(await findRefusals(root)).toEqual([]);
  });

  test.each<[string, (clone: Clone) => unknown, string[]]>([
    [
      'a changed and a new file',
      ({ write }) => [write('CHANGELOG.md', `${CHANGELOG}- A size.\n`), write('src/new.ts', '')],
      ['there are uncommitted changes; commit or stash them: CHANGELOG.md, src/new.ts'],
    ],
    [
      'different versions',
      ({ commit, measure }) => {
        measure(
          commit('b', { 'client/package.json': { version: '1.1.0' }, 'src/version.ts': `export const VERSION = '2'` }),
        );
        commit('figures');
      },
      [
        'client/package.json has version 1.1.0, but package.json has 1.2.0; make them the same',
        'src/version.ts has version 2, but package.json has 1.2.0; make them the same',
      ],
    ],
    [
      'no entry in the changelog',
      ({ commit }) => commit('b', { 'CHANGELOG.md': CHANGELOG.replace('1.2.0', '1.1.0') }),
      ['CHANGELOG.md has no entry for 1.2.0; add the heading "## 1.2.0 - <year>-<month>-<day>" and the changes'],
    ],
    [
      'an entry without a date or changes',
      ({ commit }) => commit('b', { 'CHANGELOG.md': '## 1.2.0\n\n### Added\n' }),
      [
        'CHANGELOG.md has the heading "## 1.2.0" without a date; change it to "## 1.2.0 - <year>-<month>-<day>"',
        'CHANGELOG.md lists no changes for 1.2.0; add them',
      ],
    ],
    [
      'unreleased changes',
      ({ commit }) => commit('b', { 'CHANGELOG.md': CHANGELOG.replace('### Added', '- A size.') }),
      ['CHANGELOG.md has unreleased changes; move them from "## Unreleased" to "## 1.2.0 - <year>-<month>-<day>"'],
    ],
    [
      'figures measured with uncommitted changes',
      ({ commit, measured }) =>
        commit('b', { 'prove/results.json': { chaos: { commit: `${measured} with changes` } } }),
      [
        expect.stringMatching(
          /^prove\/results\.json \(chaos\) was measured on \w+ with changes, so nobody can repeat it/,
        ),
      ],
    ],
    [
      'figures of a commit that is not in the clone',
      ({ commit }) => commit('b', { 'bench/results/2026-11-20.json': { commit: 'abcdef123456' } }),
      [
        'bench/results/2026-11-20.json was measured on abcdef123456, which is not in this clone; fetch the whole history, ' +
          'or run `npm run bench` again on a clean tree, and commit the result',
      ],
    ],
    [
      'no figures',
      ({ git, commit }) => [git('rm', '-r', '--quiet', 'bench', 'prove'), commit('b')],
      [
        'bench/results/ has no figures; run `npm run bench` and commit the result',
        'bench/results/ has no figures; run `npm run bench -- --peers` and commit the result',
        'prove/results.json has no figures; run `npm run prove` and commit the result',
      ],
    ],
  ])('is refused with %s', async (_, change, refusals) => {
    const clone = createClone();
    change(clone);
    expect(await findRefusals(clone.root)).toEqual(refusals);
  });

  test('is refused if the figures are older than the code, with every later commit and its files', async () => {
    const { root, commit, git, measured } = createClone();
    const one = commit('pets: a color', { 'src/pets.ts': '1', 'src/orders.ts': '1', 'docs/pets.md': '1' });
    const two = commit('keys: a limit', { 'src/keys.ts': '1' });
    const commits = `    ${two} keys: a limit: src/keys.ts\n    ${one} pets: a color: src/orders.ts, src/pets.ts`;
    const before = git('rev-parse', `${measured}^`);
    const again = (command: string) => `run \`${command}\` again on a clean tree, and commit the result`;
    expect(await findRefusals(root)).toEqual([
      `bench/results/2026-11-19.json was measured on ${before}, without these changes to src/; ${again('npm run bench')}\n${commits}`,
      `bench/results/2026-11-19.peers.json was measured on ${before}, without these changes to src/; ${again('npm run bench -- --peers')}\n${commits}`,
      `prove/results.json (chaos, soak) was measured on ${before}, without these changes to src/; ${again('npm run prove')}\n${commits}`,
    ]);
  });

  test('is possible if only comments, types and tests in src/ changed after the measurement', async () => {
    const { root, commit, measure } = createClone();
    measure(commit('pets', { 'src/pets.ts': '/** Counts pets. */\nexport const count: number = 1;\n' }));
    commit('figures');
    commit('comments', { 'src/pets.ts': '// The number of pets.\nexport const count: unknown = 1;\n' });
    commit('tests', { 'src/pets.test.ts': '1' });
    expect(await findRefusals(root)).toEqual([]);
    commit('pets: more', { 'src/pets.ts': 'export const count: number = 2;\n' });
    expect(await findRefusals(root)).toHaveLength(3);
  });

  test('is refused if only some proofs ran on this code, or the figures come from another branch', async () => {
    const { root, git, commit } = createClone();
    git('checkout', '--quiet', '-b', 'other');
    const other = commit('pets: faster', { 'src/pets.ts': '2' });
    git('checkout', '--quiet', '-');
    const proofs = { chaos: { commit: other }, soak: { commit: git('rev-parse', 'HEAD') } };
    commit('figures', { 'prove/results.json': proofs });
    expect(await findRefusals(root)).toEqual([expect.stringContaining(`${other} pets: faster: src/pets.ts`)]);
  });

  test('is refused if a merge changed the code itself, and not if it only joined measured commits', async () => {
    const { root, git, commit, measure, write } = createClone();
    git('checkout', '--quiet', '-b', 'other');
    commit('pets: faster', { 'src/pets.ts': '2' });
    git('checkout', '--quiet', '-');
    commit('keys: a limit', { 'src/keys.ts': '1' });
    git('merge', '--quiet', '--no-commit', 'other');
    measure(commit('a clean merge'));
    commit('figures');
    expect(await findRefusals(root)).toEqual([]);
    git('checkout', '--quiet', 'other');
    commit('orders: a note', { 'src/orders.ts': '1' });
    git('checkout', '--quiet', '-');
    git('merge', '--quiet', '--no-commit', 'other');
    write('src/orders.ts', '3');
    const merge = commit('a merge with a change');
    const [bench] = await findRefusals(root);
    expect(bench).toContain(`${merge} a merge with a change: src/orders.ts`);
    expect(bench).toContain('orders: a note: src/orders.ts');
  });

  test('is refused outside a clone', async () => {
    const { root } = createClone();
    rmSync(join(root, '.git'), { recursive: true });
    expect(await findRefusals(root)).toEqual([`${root} is not a git clone with a commit; release from a clone`]);
  });

  test('is refused until its frozen files are committed', () => {
    const { root, write, commit } = createClone();
    write('docs/releases/schema-1.2.0.sqlite.sql', 'CREATE TABLE pets (id)');
    expect(findUncommitted(root, 'docs/releases')).toEqual(['docs/releases/schema-1.2.0.sqlite.sql']);
    commit('releases: 1.2.0');
    expect(findUncommitted(root, 'docs/releases')).toEqual([]);
  });
});

test('release notes contain the changes of one version, without links into the repository', () => {
  const linked = CHANGELOG.replace('A color.', 'A color ([decision 3](docs/3.md), [RFC](https://example.org/rfc)).');
  const notes = renderNotes(`${linked}\n## 1.1.0\n\n- A name.\n`, '1.2.0');
  expect(notes).toStartWith(
    '# Petstore 1.2.0 - 2026-11-20\n\n## Added\n\n- A color (decision 3, [RFC](https://example.org/rfc)).\n\n## Files\n',
  );
  expect(notes).not.toContain('A name');
});
