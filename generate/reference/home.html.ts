import type { Environment } from '../../src/kernel/contract.ts';
import { HOME, SCRIPT, STYLE, THEME } from './assets.ts';
import { framePage, ribbon, topBar } from './frame.html.ts';
import { type Html, html } from './html.ts';

const FIGURES = [
  ['Available', '41', 'good'],
  ['Open orders', '4', 'warn'],
  ['Sold this week', '15', 'calm'],
] as const;

const PETS = [
  ['Łatek', 'Dogs', 'Available', 'good'],
  ['Kiwi', 'Birds', 'Pending', 'warn'],
  ['Luna', 'Cats', 'Available', 'good'],
  ['Zoë', 'Cats', 'Sold', 'calm'],
  ['Rex', 'Dogs', 'Available', 'good'],
] as const;

/** This picture is HTML: unlike a screenshot, it follows the theme and stays sharp at any size. */
const PICTURE: Html = html`<div class="picture" role="img" aria-label="The console: key figures of a shop, and its pets in a table with their status">
<div class="picture-nav"><b>Pet Store</b><span class="on">Pets</span><span>Orders</span><span>Categories</span><span>Keys</span><span>Webhooks</span></div>
<div class="picture-page"><b class="picture-title">Pets</b><span class="picture-add">Add pet</span>
<div class="picture-figures">${FIGURES.map(([name, value, tone]) => html`<div><span>${name}</span><b>${value}</b><i class="${tone}"></i></div>`)}</div>
<div class="picture-table"><div><span>Name</span><span>Category</span><span>Status</span></div>${PETS.map(
  ([name, category, status, tone]) =>
    html`<div><b>${name}</b><span>${category}</span><span><em class="pill ${tone}">${status}</em></span></div>`,
)}</div></div></div>`;

/** The service replaces `$PETSTORE_URL` in this page with its own address, if it knows the address. */
export const homePage = (environment: Environment): string =>
  framePage({
    title: 'Pet Store',
    styles: [`docs/${STYLE.name}`, `docs/${HOME.name}`],
    scripts: [`docs/${THEME.name}`, `docs/${SCRIPT.name}`],
    body: html`<body>${ribbon(environment, '')}${topBar({ home: '' })}
<main class="home"><div class="hero">
<h1>Your shop's pets and orders, behind one API and one console.</h1>
<div class="box"><div class="box-bar"><b>List the pets</b></div><pre tabindex="0"><code>curl $PETSTORE_URL/v1/pets \\
  -H "Authorization: Bearer $API_KEY"</code></pre></div>
<p>Every request carries an API key: <a href="docs#guide-keys-issuing-changing-and-revoking-keys">how to get one</a>.</p>
<p class="actions"><a class="button primary" href="console/">Open the console</a> <a class="button" href="docs">Read the reference</a></p>
</div>
${PICTURE}
</main>
<footer class="foot"><a href="docs#guides">Guides</a><a href="docs/errors">Error codes</a><a href="openapi.json">OpenAPI document</a><a href="llms.txt">For agents</a></footer></body>`,
  });
