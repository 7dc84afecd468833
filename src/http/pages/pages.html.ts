import type { Environment } from '../../kernel/contract.ts';
import { type Html, html } from '../reference/html.ts';

/** The icon, inline, so that no page asks for a file that is not there. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32' fill='%230f7b6c'%3E" +
  "%3Cellipse cx='16' cy='22' rx='8' ry='7'/%3E%3Cellipse cx='5' cy='14' rx='3' ry='4'/%3E%3Cellipse cx='12' cy='7' rx='3' ry='4.5'/%3E" +
  "%3Cellipse cx='20' cy='7' rx='3' ry='4.5'/%3E%3Cellipse cx='27' cy='14' rx='3' ry='4'/%3E%3C/svg%3E";

type Frame = {
  title: string;
  /** Relative addresses of what the page loads. The first script runs before anything is drawn: it sets the colours. */
  styles: readonly string[];
  scripts: readonly string[];
  modules?: readonly string[];
  attributes?: Html;
  body: Html;
};

/** A whole page. */
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

/** Changes between the system's colours, light and dark; the script shows it. */
export const THEME_BUTTON = html`<button type="button" class="theme" hidden></button>`;

export const brand = (home: string): Html =>
  html`<a class="brand" href="${home}"><img src="${ICON}" alt="">Pet Store</a>`;

/** So that nobody takes what is on staging for real. */
export const ribbon = (environment: Environment, home: string): Html | false =>
  environment === 'staging' &&
  html`<p class="ribbon">Staging: test data. <a href="${home}docs#guide-staging-starting-over">Start over</a></p>`;

type HomeAssets = { look: string; theme: string };

/**
 * A small page that leads on. Its links are relative: they hold below any prefix a proxy puts before the service. Without
 * a base it shows the variable in which the command line keeps it.
 */
export const homePage = (base: string, environment: Environment, { look, theme }: HomeAssets): string =>
  framePage({
    title: 'Pet Store',
    styles: [`docs/${look}`],
    scripts: [`docs/${theme}`],
    body: html`${ribbon(environment, '')}<main class="home">
<header><img src="${ICON}" alt=""><h1>Pet Store</h1>${THEME_BUTTON}</header>
<p>The catalogue and the orders of a pet store, over HTTP and in JSON. Every request carries an API key:
<a href="docs#guide-keys-issuing-changing-and-ending-keys">how to get one</a>.</p>
<pre tabindex="0"><code>curl ${base || '$PETSTORE_URL'}/v1/pets \\
  -H "Authorization: Bearer $API_KEY"</code></pre>
<nav>
<a href="console/"><b>Console</b> Animals, orders, keys, webhooks and events, on a screen.</a>
<a href="docs"><b>Reference</b> Every operation, with examples to try.</a>
<a href="docs#guides"><b>Guides</b> Keys, limits, paging, errors, events and webhooks.</a>
<a href="openapi.json"><b>OpenAPI document</b> The same, for tools.</a>
</nav>
</main>`,
  });
