import type { Contract, Environment } from '../../src/kernel/contract.ts';
import { FAILURES } from '../../src/kernel/failure.ts';
import type { OpenapiDocument } from '../openapi/resolve.ts';
import { SCRIPT, STYLE, THEME, TOOLS } from './assets.ts';
import { codeBox, sampleBox } from './code-box.html.ts';
import { framePage, MENU, ribbon, topBar } from './frame.html.ts';
import { createGroups, type Group, linkList, links } from './groups.html.ts';
import { createGuides, GUIDE_TEXTS, type Guide } from './guides.ts';
import { type Html, html, inlineMarkdown, markdown } from './html.ts';
import { part } from './operation.html.ts';
import { samplesOf } from './samples.ts';

type Source = {
  document: OpenapiDocument;
  contracts: readonly Contract[];
  environment: Environment;
};

const sentence = (phrase: string): string =>
  `${phrase.replace(/^[a-z]/, (letter) => letter.toUpperCase()).replace(/\.$/, '')}.`;

const guideSection = ({ anchor, title, about, headings, body }: Guide): Html =>
  part(
    'guide',
    html` id="${anchor}"`,
    html`<h2><a href="#${anchor}">${title}</a></h2>${about && html`<p class="lead">${inlineMarkdown(sentence(about))}</p>`}
<article>${body}</article>`,
    headings.length > 0 ? linkList('In this guide', headings) : html``,
  );

const LONG_LIST = 20;

const contents = ({ title, anchor, entries }: Pick<Group, 'title' | 'anchor' | 'entries'>): Html =>
  entries.length > LONG_LIST
    ? html`<details><summary>${title}</summary>${links([{ anchor, label: html`About` }, ...entries])}</details>`
    : html`<h2><a href="#${anchor}">${title}</a></h2>${links(entries)}`;

const KEY_FORM = html`<form class="key" hidden><label for="key">Your API key</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="ps_…" aria-describedby="key-note">
<p id="key-note">Used in the samples and in the requests that you try. The key stays in this tab until you close the tab.
<a href="#guide-keys-issuing-changing-and-revoking-keys">How to get one</a></p>
<p role="status"></p></form>
<noscript><p>Search, "Try it" and samples with your key need JavaScript.</p></noscript>`;

const SEARCH = html`<div class="search i" hidden><input type="search" role="combobox" aria-label="Search operations and guides" aria-controls="found"
aria-expanded="false" aria-autocomplete="list" autocomplete="off" placeholder="Search the reference"><kbd>/</kbd><ul id="found" class="found" role="listbox" aria-label="Results" hidden></ul></div>`;

const startPart = ({ document, contracts }: Source): Html => {
  const contract = contracts.find(({ id }) => id === 'listPets');
  const [first = '', ...rest] = document.info.description.split('\n\n');
  return part(
    'intro',
    html` id="about"`,
    html`<h1>API reference</h1><div class="lead">${markdown(first)}</div>${KEY_FORM}<div class="lead">${markdown(rest.join('\n\n'))}</div>`,
    html`<small>Version ${document.info.version}</small>${codeBox([{ title: 'Base URL', text: '$PETSTORE_URL/v1' }], 'Base URL')}
<div class="side-head"><h4>First request</h4></div>${contract && sampleBox(samplesOf({ contract, path: {}, query: { status: 'available' } }))}`,
  );
};

const errorsPart = (): Html =>
  part(
    'group',
    html` id="errors"`,
    html`<h2><a href="#errors">Errors</a></h2><p class="lead">Every error code. The <a href="docs/errors">errors page</a> explains each code and what to do.</p>
<ul class="errors codes">${Object.entries(FAILURES).map(
      ([code, { status, meaning }]) =>
        html`<li data-words="${meaning}"><span class="status">${status}</span> <a href="docs/errors#${code}">${code}</a></li>`,
    )}</ul>`,
    html``,
  );

export const referencePage = (source: Source): string => {
  const guides = createGuides(GUIDE_TEXTS);
  const groups = createGroups(source);
  const guideEntries = guides.map(({ anchor, title }) => ({ anchor, label: html`${title}` }));
  return framePage({
    title: 'Pet Store reference',
    styles: [`docs/${STYLE.name}`],
    scripts: [`docs/${THEME.name}`, `docs/${SCRIPT.name}`, `docs/${TOOLS.name}`],
    attributes: html` data-sample="curl"`,
    body: html`<body class="reference"><a class="skip" href="#start">Skip to content</a>${ribbon(source.environment, '')}${topBar({ home: '', page: 'docs', title: 'API reference', before: MENU, tools: SEARCH })}
<nav id="contents" class="toc" aria-label="Contents">
${contents({ title: 'Start here', anchor: 'about', entries: guideEntries })}${groups.map(contents)}
<h2><a href="#errors">Errors</a></h2><h2><a href="openapi.json">OpenAPI document</a></h2></nav>
<main id="start">${startPart(source)}
<section id="guides" aria-label="Guides">
${guides.map(guideSection)}</section>
<section id="operations" aria-label="Operations">
${groups.flatMap(({ body }) => body)}</section>
${errorsPart()}
</main></body>`,
  });
};
