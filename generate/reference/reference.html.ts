import type { Contract, Environment } from '../../src/kernel/contract.ts';
import { FAILURES } from '../../src/kernel/failure.ts';
import type { OpenapiDocument } from '../openapi/resolve.ts';
import { LOOK, REFERENCE, SCRIPT, THEME } from './assets.ts';
import { brand, framePage, ribbon, THEME_BUTTON } from './frame.html.ts';
import { createGroups, type Entry, type Group } from './groups.html.ts';
import { createGuides, GUIDE_TEXTS, type Guide } from './guides.ts';
import { type Html, html, inlineMarkdown, markdown } from './html.ts';

type Source = {
  document: OpenapiDocument;
  contracts: readonly Contract[];
  environment: Environment;
};

const groupSection = ({ anchor, title, about, count, body }: Group): Html =>
  html`<details class="group" id="${anchor}"><summary><h3>${title}</h3> <span>${inlineMarkdown(about)}</span> <small>${count}</small></summary>
${body}</details>\n`;

const guideSection = ({ anchor, title, about, body }: Guide): Html =>
  html`<details class="group guide" id="${anchor}"><summary><h3>${title}</h3> <span>${inlineMarkdown(about)}</span></summary>
<article>${body}</article></details>\n`;

const contents = (title: string, entries: readonly Entry[]): Html =>
  html`<details><summary>${title}</summary><ul>${entries.map(
    ({ anchor, label }) => html`<li><a href="#${anchor}">${label}</a></li>`,
  )}</ul></details>\n`;

const KEY_FORM = html`<form class="key" hidden><label for="key">API key</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="ps_…" aria-describedby="key-note">
<p id="key-note">Used when you try operations. The key stays in this tab until you close the tab. <a href="#guide-keys-issuing-changing-and-revoking-keys">How to get one</a></p>
<p role="status"></p></form>
<noscript><p>Search and "Try it" need JavaScript.</p></noscript>`;

const headerBar = (version: string): Html => html`<header class="bar">
<button type="button" class="menu" aria-controls="contents" aria-expanded="false" hidden>Contents</button>
${brand('./')}<span class="version">Reference ${version}</span>
<div class="search" hidden><input type="search" role="combobox" aria-label="Search operations and guides" aria-controls="found"
aria-expanded="false" aria-autocomplete="list" autocomplete="off" placeholder="Search (/)"><ul id="found" class="found" role="listbox" aria-label="Results" hidden></ul></div>
<nav><a href="console/">Console</a> <a href="docs/errors">Errors</a> <a href="openapi.json">OpenAPI</a></nav>${THEME_BUTTON}</header>`;

const CODES = Object.entries(FAILURES).map(
  ([code, { status, meaning }]) =>
    html`<li data-words="${meaning}"><span class="status">${status}</span> <a href="docs/errors#${code}">${code}</a></li>`,
);

export const referencePage = (source: Source): string => {
  const { document, environment } = source;
  const guides = createGuides(GUIDE_TEXTS);
  const groups = createGroups(source);
  const guideEntries = guides.map(({ anchor, title }) => ({ anchor, label: html`${title}` }));
  return framePage({
    title: 'Pet Store reference',
    styles: [`docs/${LOOK.name}`, `docs/${REFERENCE.name}`],
    scripts: [`docs/${THEME.name}`, `docs/${SCRIPT.name}`],
    attributes: html` data-sample="curl"`,
    body: html`<body class="reference"><a class="skip" href="#start">Skip to content</a>${ribbon(environment, '')}${headerBar(document.info.version)}
<nav id="contents" class="contents" aria-label="Contents"><a href="#start">Start</a>
${contents('Guides', guideEntries)}${groups.map(({ title, entries }) => contents(title, entries))}
<a href="#errors">Errors</a><a href="openapi.json">OpenAPI document</a></nav>
<main id="start"><h1>${document.info.title}</h1>
${markdown(document.info.description)}${KEY_FORM}
<section id="guides"><h2>Guides</h2>
${guides.map(guideSection)}</section>
<section id="operations"><h2>Operations</h2>
${groups.map(groupSection)}</section>
<section id="errors"><h2>Errors</h2>
<details class="group"><summary><h3>Codes</h3> <span>Every error code, its meaning and what to do.</span></summary>
<ul class="codes">${CODES}</ul></details></section>
</main></body>`,
  });
};
