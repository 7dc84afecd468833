import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findStale } from '../check/generated.ts';
import { findCommand, GROUPS, nameOf } from '../cli/commands/commands.ts';
import packageJson from '../package.json';
import { flagOf, KNOWN, VARIABLES } from '../src/config.ts';
import { CONTRACTS } from '../src/contracts.ts';
import { FAILURES } from '../src/kernel/failure.ts';
import { codeBlocks, codeLines, codeSpans, DOCUMENTS, ROOT, readDocument } from './documents.ts';

const OPERATING = DOCUMENTS.filter((path) => path.startsWith('docs/operating/'));

describe('the generated documents', () => {
  test('are up to date with the code', () => {
    expect(findStale()).toEqual([]);
  });

  test('list every error code under its status, and no others', () => {
    const sections = readDocument('docs/errors.md')
      .split(/^## (?=\d)/m)
      .slice(1);
    const documented = sections.flatMap((section) => {
      const status = Number(section.slice(0, 3));
      return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => [code, status]);
    });
    const thrown = Object.entries(FAILURES).map(([code, { status }]) => [code, status]);
    expect(documented.sort()).toEqual(thrown.sort());
  });

  test('list every setting with its flag and default', () => {
    const rows = readDocument('docs/config.md').split('\n');
    for (const [name, variable] of Object.entries(VARIABLES)) {
      const row = rows.find((line) => line.startsWith(`| \`${name}\` `));
      expect(row).toContain(flagOf(name) ?? 'none (secret)');
      expect(row).toContain('default' in variable ? `\`${variable.default}\`` : '');
    }
  });
});

describe('the README', () => {
  test('starts with the commands that run, test and build the service', () => {
    const [first = ''] = codeBlocks(readDocument('README.md'));
    const commands = first
      .trim()
      .split('\n')
      .map((line) => line.replace(/ +#.*/, ''));
    expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test', 'npm ci && npm run build']);
  });

  test.each([
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'docs/config.md',
    'docs/errors.md',
    'docs/known-limits.md',
    'docs/reliability.md',
    ...OPERATING,
  ])('links to %s', (path) => {
    expect(readDocument('README.md')).toContain(`(${path})`);
  });
});

const linkedFiles = (text: string, path: string): string[] =>
  [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
    .map(([, target]) => target as string)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(path), target));

const citedFiles = (text: string): string[] =>
  codeSpans(text).filter((code) => /^(src|cli|generate|test|prove|check|docs|client|bench|\.ci)\/[\w./-]+$/.test(code));

const headingsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

const findIn = (documents: readonly string[], look: (text: string, path: string) => string[]): string[] =>
  documents.flatMap((path) => look(readDocument(path), path).map((found) => `${path}: ${found}`));

const unknownWords = (line: string): string[] => {
  const [, words] = /(?:^|\s|\.\/)petstore (\w.*)$/.exec(line) ?? [];
  if (words === undefined) return [];
  const command = findCommand(nameOf(words.split(/ +/)));
  if (!command) return /^\w+( *#.*)?$/.test(words) && GROUPS.has(words.replace(/\W.*/, '')) ? [] : [line];
  const flags = ['--help', ...[...command.flags, ...command.shared].map(({ flag }) => `--${flag}`)];
  return [...words.matchAll(/\s(--[\w-]+)/g)].map(([, flag]) => flag as string).filter((flag) => !flags.includes(flag));
};

test('docs/known-limits.md has a link to the details of every limit', () => {
  const limits = readDocument('docs/known-limits.md').match(/^- .*$/gm) ?? [];
  expect(limits.length).toBeGreaterThan(40);
  expect(limits.filter((limit) => !/\]\([^)]+\.md(#[\w-]+)?\)\)?\.$/.test(limit))).toEqual([]);
});

test('docs/operating/configure.md lists every setting that can be read from a file', () => {
  const listed = codeSpans(readDocument('docs/operating/configure.md'));
  const files = KNOWN.filter((name) => name.endsWith('_FILE'));
  expect(files).toContain('PETSTORE_READ_URL_FILE');
  expect(files.filter((name) => !listed.includes(name))).toEqual([]);
});

test('docs/agents.md states the number of tools that are listed', () => {
  const listed = CONTRACTS.filter(({ stream, deprecation }) => !stream && !deprecation);
  expect(readDocument('docs/agents.md')).toContain(`The list of all ${listed.length} tools`);
});

describe('all documents', () => {
  test('cite only files that exist', () => {
    // Skips the changelog, because it may mention files that no longer exist.
    const present = DOCUMENTS.filter((path) => path !== 'CHANGELOG.md');
    const missing = findIn(present, (text, path) =>
      [...linkedFiles(text, path), ...citedFiles(text)].filter((file) => !existsSync(join(ROOT, file))),
    );
    expect(missing).toEqual([]);
  });

  test('link only to headings that exist', () => {
    const present = DOCUMENTS.filter((path) => path !== 'CHANGELOG.md');
    const missing = findIn(present, (text, path) =>
      [...text.matchAll(/\]\(([^)\s#:]*)#([^)\s]+)\)/g)]
        .map(([, file = '', heading]) => ({ page: file ? join(dirname(path), file) : path, heading }))
        .filter(({ page }) => DOCUMENTS.includes(page))
        .filter(({ page, heading }) => !headingsOf(readDocument(page)).includes(heading as string))
        .map(({ page, heading }) => `${page}#${heading}`),
    );
    expect(missing).toEqual([]);
  });

  test('contain no merge conflict markers', () => {
    expect(findIn(DOCUMENTS, (text) => text.match(/^([<>]{7} .*|={7})$/gm) ?? [])).toEqual([]);
  });

  test('name only npm scripts that exist', () => {
    const unknown = findIn(DOCUMENTS, (text) =>
      [...text.matchAll(/\bnpm run ([\w:-]+)/g)]
        .map(([, script]) => script as string)
        .filter((script) => !(script in packageJson.scripts)),
    );
    expect(unknown).toEqual([]);
  });

  test('name only settings that exist', () => {
    // `docs/operating/configure.md` names the last two as examples of variables that are not settings.
    const known = [...KNOWN, 'PETSTORE_URLL', 'PETSTORE_SERVICE_HOST'];
    const unknown = findIn(DOCUMENTS, (text) =>
      [...text.matchAll(/\bPETSTORE_[A-Z_]+\b/g)].map(([name]) => name).filter((name) => !known.includes(name)),
    );
    expect(unknown).toEqual([]);
  });

  test('name only commands and flags that exist', () => {
    expect(findIn(DOCUMENTS, (text) => codeLines(text).flatMap(unknownWords))).toEqual([]);
  });
});
