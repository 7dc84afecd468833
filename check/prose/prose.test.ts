import { describe, expect, test } from 'bun:test';
import { lintProse, listSurface } from './prose.ts';
import { passagesOf } from './source.ts';
import { EXCEPTIONS, GOAL_WORDS, MAXIMUM_WORDS, RULES } from './words.ts';

const lint = (path: string, ...lines: string[]) => lintProse(new Map([[path, lines.join('\n')]]));

const faultsOf = async (path: string, ...lines: string[]): Promise<string[]> => (await lint(path, ...lines)).faults;

const words = (count: number): string => `Word ${'word '.repeat(count - 2)}word.`;

describe('a rule', () => {
  test.each(RULES.map(({ bad, instead }) => [bad, instead]))('finds "%s"', async (bad, instead) => {
    const faults = await faultsOf('page.md', bad);
    expect(faults.map((fault) => fault.split(' → ')[1])).toContain(instead);
  });

  test.each(RULES.map(({ good }) => [good]))('passes "%s"', async (good) => {
    expect(await faultsOf('page.md', good)).toEqual([]);
  });
});

test('every exception has a reason', () => {
  expect(EXCEPTIONS.filter(({ reason }) => reason.length < 20)).toEqual([]);
});

describe('an exception', () => {
  test('applies only in its files', async () => {
    const title = "const summary = 'List all animals';";
    expect(await faultsOf('src/pets.ts', title)).toEqual([]);
    expect(await faultsOf('console/pets.ts', title)).toHaveLength(1);
  });
});

describe('a document', () => {
  test('is checked in paragraphs, headings, lists and tables', async () => {
    const faults = await faultsOf(
      'page.md',
      '# Read anew',
      '',
      'Read',
      'anew.',
      '',
      '- anew',
      '',
      '| a |',
      '|---|',
      '| anew |',
    );
    expect(faults.map((fault) => fault.split(':')[1])).toEqual(['1', '4', '6', '10']);
  });

  test('may have any words in code', async () => {
    expect(await faultsOf('page.md', 'Set `anew`.', '', '```sh', 'read anew', '```')).toEqual([]);
  });
});

describe('a source file', () => {
  const textsOf = (path: string, ...lines: string[]) =>
    passagesOf(path, lines.join('\n')).map(({ kind, parts }) => [kind, parts.map(({ text }) => text).join('')]);

  test.each([
    ['comments, joined over lines', ['// Reads', '// it anew.'], ['comment', 'Reads it anew.']],
    ['paragraphs of comments', ['/** Reads.', ' *', ' * @internal */'], ['comment', 'Reads.']],
    ['reasons given to tools', ['// biome-ignore lint/a/b: it is quick.'], ['comment', 'it is quick.']],
    ['strings, joined by +', ["fail('There is no ' + name + ' here');"], ['string', 'There is no {…} here']],
    [
      'templates',
      [`fail(\`\${count} pets left \${'in store'}\`);`],
      ['string', '{…} pets left {…}'],
      ['string', 'in store'],
    ],
    ['text of pages', ['html`<p class="a b">All pets</p>`;'], ['string', 'All pets']],
    [
      'titles of tests',
      ["test.each([1])('a pet %i', () => run('a b c'));"],
      ['title', 'a pet %i'],
      ['string', 'a b c'],
    ],
  ])('is checked in %s', (_, lines, ...texts) => {
    expect(textsOf('src/a.ts', ...lines)).toEqual(texts as string[][]);
  });

  test.each([
    ['module names', "import 'a b c';"],
    ['SQL', "query('SELECT name FROM pets');"],
    ['other tagged templates', 'sql`select the name of pets`;'],
    ['keys', "const all = { 'a b c': 1 };"],
    ['comparisons', "if (text === 'a b c') run();"],
    ['types', "type All = 'a b c';"],
  ])('is not checked in %s', (_, line) => {
    expect(textsOf('src/a.ts', line)).toEqual([]);
  });

  test('is checked in JSX, without class names', () => {
    const line = 'const page = <p className="a b c" title="All of them">Read {name} now</p>;';
    expect(textsOf('console/a.tsx', line)).toEqual([
      ['string', 'All of them'],
      ['string', 'Read {…} now'],
    ]);
  });

  test('with tests is checked only in comments and titles', () => {
    const lines = ['// A reason.', "test('a pet is sold', () => expect(text).toBe('a b c'));"];
    expect(textsOf('src/a.test.ts', ...lines)).toEqual([
      ['comment', 'A reason.'],
      ['title', 'a pet is sold'],
    ]);
  });

  test('with styles is checked in comments', () => {
    expect(textsOf('a.css', '/* Next to it. */ a { content: "/* not one */"; }')).toEqual([['comment', 'Next to it.']]);
  });

  test('is reported with line numbers', async () => {
    expect(await faultsOf('src/a.ts', '/**', ' * Reads it', ' * anew.', ' */', "fail('read anew');")).toEqual([
      'src/a.ts:3: Reads it anew. → again',
      'src/a.ts:5: read anew → again',
    ]);
  });
});

describe('a sentence', () => {
  test('has a maximum number of words', async () => {
    expect(await faultsOf('page.md', words(MAXIMUM_WORDS))).toEqual([]);
    expect(await faultsOf('page.md', words(MAXIMUM_WORDS + 1))).toHaveLength(1);
  });

  test.each(['. ', '! ', '; ', '.) '])('ends at "%s"', async (end) => {
    expect(await faultsOf('page.md', `${'word '.repeat(19)}word${end}And ${words(20)}`)).toEqual([]);
  });

  test('does not end at an abbreviation', async () => {
    expect(await faultsOf('page.md', `${'word '.repeat(19)}e.g. Rex ${words(20)}`)).toHaveLength(1);
  });

  test('is counted if it is long or passive', async () => {
    const { figures } = await lint(
      'page.md',
      words(GOAL_WORDS),
      words(GOAL_WORDS + 1),
      'It is sent.',
      'It was not sold.',
    );
    expect(figures).toBe('1 files, 4 sentences, 25.0 % over 20 words, 50.0 % passive');
  });
});

describe('a list of texts', () => {
  test.each([
    ['metrics', 'src/a.ts', "metrics.counter('pets', 'Pets that were added.');", 'Pets that were added.'],
    ['log', 'src/a.ts', "log.warn('full', { advice: 'free some space' });", 'free some space'],
    ['api', 'src/a.ts', `throw new Failure('full', \`The store has \${most} pets.\`);`, 'The store has {…} pets.'],
    ['cli', 'cli/a.ts', "print('Signed in.\\n');", 'Signed in.'],
    ['console', 'console/a.tsx', 'const page = <p>No webhooks yet</p>;', 'No webhooks yet'],
    ['mcp', 'src/mcp/a.ts', "const hint = 'Call it again.';", 'Call it again.'],
  ])('of %s shows each text with its place', (surface, path, line, text) => {
    expect(listSurface(surface, new Map([[path, `\n${line}`]]))).toEqual([`${path}:2: ${text}`]);
  });
});
