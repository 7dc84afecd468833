import { type Html, html } from './html.ts';
import type { Sample } from './samples.ts';

type Pane = { title: string; text: string; type?: string };

const pre = (text: string, attributes: Html = html``): Html =>
  html`<pre tabindex="0"${attributes}><code>${text}</code></pre>`;

export const asJson = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

export const codeBox = (panes: readonly Pane[], label: string): Html => {
  const [first] = panes;
  if (!first) return html``;
  const bar =
    panes.length === 1
      ? html`<b>${first.title}</b>`
      : html`<div class="tabs" role="group" aria-label="${label}">${panes.map(
          ({ title }, at) =>
            html`<button type="button" aria-pressed="${at === 0 ? 'true' : 'false'}">${title}</button>`,
        )}</div>`;
  return html`<div class="box"><div class="box-bar">${bar}</div>${panes.map(({ text, type }, at) =>
    pre(text, html`${at > 0 && html` hidden`}${type !== undefined && html` data-type="${type}"`}`),
  )}</div>`;
};

/** The language that the reader chooses in one box applies to all boxes. */
export const sampleBox = (samples: readonly Sample[]): Html =>
  html`<div class="box samples"><div class="box-bar"><div class="tabs" role="group" aria-label="Language">${samples.map(
    ({ way, title }) => html`<button type="button" data-way="${way}">${title}</button>`,
  )}</div></div>${samples.map(({ way, text }) => pre(text, html` class="sample ${way}"`))}</div>`;
