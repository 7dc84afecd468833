import type { Environment } from '../../src/kernel/contract.ts';
import { LOOK, THEME } from './assets.ts';
import { framePage, ICON, ribbon, THEME_BUTTON } from './frame.html.ts';
import { html } from './html.ts';

/**
 * Links are relative, so that they work behind any path prefix. The service replaces `$PETSTORE_URL` if it knows its
 * own address.
 */
export const homePage = (environment: Environment): string =>
  framePage({
    title: 'Pet Store',
    styles: [`docs/${LOOK.name}`],
    scripts: [`docs/${THEME.name}`],
    body: html`${ribbon(environment, '')}<main class="home">
<header><img src="${ICON}" alt=""><h1>Pet Store</h1>${THEME_BUTTON}</header>
<p>A pet store's pets and orders, as JSON over HTTP. Every request carries an API key:
<a href="docs#guide-keys-issuing-changing-and-revoking-keys">how to get one</a>.</p>
<pre tabindex="0"><code>curl $PETSTORE_URL/v1/pets \\
  -H "Authorization: Bearer $API_KEY"</code></pre>
<nav>
<a href="console/"><b>Console</b> Pets, orders, keys, webhooks and events in your browser.</a>
<a href="docs"><b>Reference</b> Every operation, with examples to try.</a>
<a href="docs#guides"><b>Guides</b> Keys, limits, paging, errors, events and webhooks.</a>
<a href="openapi.json"><b>OpenAPI document</b> The whole API in machine-readable form.</a>
</nav>
</main>`,
  });
