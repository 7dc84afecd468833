import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createGuides, GUIDE_TEXTS } from './guides.ts';

const LIST = {
  path: 'docs/using.md',
  text: '# Using it\n\nFirst words. More.\n\n- [Keys](guides/keys.md): who may call; when\n',
};
const guidesWith = (text: string) => createGuides([LIST, { path: 'docs/guides/keys.md', text: `# Keys\n\n${text}\n` }]);
const markupOf = (text: string): string => guidesWith(text)[1]?.body.markup ?? '';

test('the pages include every guide of docs/guides', () => {
  const written = readdirSync(join(import.meta.dir, '../../docs/guides')).map((name) => `docs/guides/${name}`);
  expect(GUIDE_TEXTS.map(({ path }) => path).sort()).toEqual([...written, 'docs/using.md'].sort());
});

test('a guide has its title, and its line in the list of guides', () => {
  expect(guidesWith('Text.').map(({ anchor, title, about }) => ({ anchor, title, about }))).toEqual([
    { anchor: 'guide-using', title: 'Using it', about: undefined },
    { anchor: 'guide-keys', title: 'Keys', about: 'who may call' },
  ]);
});

test.each([
  ['../using.md', '#guide-using'],
  ['keys.md#two-words', '#guide-keys-two-words'],
  ['#two-words', '#guide-keys-two-words'],
  ['../errors.md', 'docs/errors'],
  ['../../openapi.json', 'openapi.json'],
  ['https://www.rfc-editor.org/rfc/rfc9457', 'https://www.rfc-editor.org/rfc/rfc9457'],
])('a link to %s leads to %s', (href, to) => {
  expect(markupOf(`See [this](${href}).`)).toBe(`<p>See <a href="${to}">this</a>.</p>\n`);
});

test('a link to a file that is not served becomes plain text', () => {
  expect(markupOf('See [this](../operating.md).')).toBe('<p>See this.</p>\n');
});

test('a heading is below the title of its guide and has a unique anchor', () => {
  expect(markupOf('## Two words')).toBe('<h3 id="guide-keys-two-words">Two words</h3>\n');
});

test('a guide lists its main headings', () => {
  const [, guide] = guidesWith('## Two `words`\n\n### Below\n\n## Three');
  expect(guide?.headings).toEqual([
    { anchor: 'guide-keys-two-words', label: { markup: 'Two <code>words</code>' } },
    { anchor: 'guide-keys-three', label: { markup: 'Three' } },
  ]);
});

test('text that looks like HTML is shown as written', () => {
  expect(markupOf('A <b>key</b> is `<API_KEY>`.')).toBe(
    '<p>A &lt;b&gt;key&lt;/b&gt; is <code>&lt;API_KEY&gt;</code>.</p>\n',
  );
});
