import { expect, test } from 'bun:test';
import { html } from './html.ts';

test('text is escaped', () => {
  expect(html`<p title="${`"'`}">${'<script>&'}</p>`.markup).toBe('<p title="&#34;&#39;">&#60;script&#62;&#38;</p>');
});

test('markup is not escaped, alone or in lists, and missing values are left out', () => {
  const items = ['a', 'b<'].map((each) => html`<li>${each}</li>`);
  expect(html`<ul>${items}</ul>${undefined}${false}${0}`.markup).toBe('<ul><li>a</li><li>b&#60;</li></ul>0');
});
