import type { Environment } from '../../src/kernel/contract.ts';
import { type Html, html } from './html.ts';

/** If the page had no icon, browsers would request `/favicon.ico`, which does not exist. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%230f7b6c'/%3E" +
  "%3Cg transform='translate(6 6) scale(.833)' fill='none' stroke='%23fff' stroke-width='2'%3E%3Ccircle cx='11' cy='4' r='2'/%3E%3Ccircle cx='18' cy='8' r='2'/%3E" +
  "%3Ccircle cx='20' cy='16' r='2'/%3E%3Cpath d='M9 10a5 5 0 0 1 5 5v3.5a3.5 3.5 0 0 1-6.84 1.045Q6.52 17.48 4.46 16.84A3.5 3.5 0 0 1 5.5 10Z'/%3E%3C/g%3E%3C/svg%3E";

/** Lucide's paw print (ISC), in the colour of the text. */
const MARK = html`<svg width='16' viewBox='0 0 24 24' fill='none' stroke='currentColor' stroke-width='2' aria-hidden='true'><circle cx='11' cy='4' r='2'/><circle cx='18' cy='8' r='2'/><circle cx='20' cy='16' r='2'/><path d='M9 10a5 5 0 0 1 5 5v3.5a3.5 3.5 0 0 1-6.84 1.045Q6.52 17.48 4.46 16.84A3.5 3.5 0 0 1 5.5 10Z'/></svg>`;

type Frame = {
  title: string;
  styles: readonly string[];
  scripts: readonly string[];
  modules?: readonly string[];
  attributes?: Html;
  body: Html;
};

export const framePage = ({ title, styles, scripts, modules = [], attributes = html``, body }: Frame): string =>
  html`<!doctype html>
<html lang="en"${attributes}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${ICON}">
${styles.map((path) => html`<link rel="stylesheet" href="${path}">\n`)}${scripts.map(
  (path, index) => html`<script src="${path}"${index > 0 && html` defer`}></script>\n`,
)}${modules.map((path) => html`<script type="module" src="${path}"></script>\n`)}${body}
</html>
`.markup;

const PAGES = { docs: 'Reference', 'docs/errors': 'Errors', 'console/': 'Console' };

type TopBar = {
  /** The relative path from the page to the home page. Relative links work behind any path prefix. */
  home: string;
  page?: keyof typeof PAGES;
  title?: string;
  before?: Html;
  tools?: Html;
};

export const topBar = ({ home, page, title, before, tools }: TopBar): Html =>
  html`<header class="top">${before}<a class="brand" href="${home || './'}"><span class="mark">${MARK}</span>Pet Store</a>${
    title !== undefined && html`<span class="title">${title}</span>`
  }${tools}<nav aria-label="Pages">${Object.entries(PAGES).map(
    ([path, name]) =>
      html`<a class="button quiet" href="${home}${path}"${path === page && html` aria-current="page"`}>${name}</a>`,
  )}</nav><button type="button" class="button quiet icon-only theme" hidden></button></header>`;

export const MENU = html`<button type="button" class="button quiet icon-only menu" aria-controls="contents" aria-expanded="false" aria-label="Contents" hidden></button>`;

export const ribbon = (environment: Environment, home: string): Html | false =>
  environment === 'staging' &&
  html`<p class="ribbon i"><span>Staging: test data only. <a href="${home}docs#guide-staging-starting-over">How to start over</a></span></p>`;
