const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The icon, inline, so that no page asks for a file that is not there. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32' fill='%230f7b6c'%3E" +
  "%3Cellipse cx='16' cy='22' rx='8' ry='7'/%3E%3Cellipse cx='5' cy='14' rx='3' ry='4'/%3E%3Cellipse cx='12' cy='7' rx='3' ry='4.5'/%3E" +
  "%3Cellipse cx='20' cy='7' rx='3' ry='4.5'/%3E%3Cellipse cx='27' cy='14' rx='3' ry='4'/%3E%3C/svg%3E";

const head = (title: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${ICON}">`;

const HOME_STYLE = `
  :root {
    color-scheme: light dark;
    --ink: light-dark(#17212b, #e8ecf1); --soft: light-dark(#5b6876, #98a5b3); --line: light-dark(#e1e6eb, #2b3541);
    --page: light-dark(#f7f9fa, #11161c); --card: light-dark(#fff, #1a212a); --accent: light-dark(#0f7b6c, #4fd1b9);
  }
  * { box-sizing: border-box }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 2rem 1.25rem;
    font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--page) }
  main { width: 100%; max-width: 44rem }
  header { display: flex; align-items: center; gap: .9rem }
  header img { width: 2.6rem; height: 2.6rem }
  h1 { font-size: 2.1rem; line-height: 1.2; letter-spacing: -.02em; margin: 0 }
  p { margin: .9rem 0 1.5rem; color: var(--soft); font-size: 1.08rem }
  pre { margin: 0 0 1.5rem; padding: 1rem 1.15rem; border: 1px solid var(--line); border-radius: .7rem;
    background: var(--card); overflow-x: auto; font: .9rem/1.6 ui-monospace, monospace }
  nav { display: grid; gap: .9rem; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)) }
  nav a { display: block; padding: 1rem 1.15rem; border: 1px solid var(--line); border-radius: .7rem;
    background: var(--card); color: var(--soft); text-decoration: none; font-size: .93rem }
  nav a:hover, nav a:focus-visible { border-color: var(--accent) }
  nav b { display: block; color: var(--accent); font-size: 1.05rem }
`;

/**
 * A small page that leads on. Its links are relative: they hold below any prefix a proxy puts before the service. Without
 * a base it shows the variable in which the command line keeps it.
 */
export const homePage = (base: string): string => `${head('Pet Store')}
<style>${HOME_STYLE}</style>
<main>
<header><img src="${ICON}" alt=""><h1>Pet Store</h1></header>
<p>A JSON over HTTP interface to a pet store's catalogue of animals. Every request carries an API key.</p>
<pre><code>curl ${escapeHtml(base || '$PETSTORE_URL')}/v1/pets \\
  -H "Authorization: Bearer $API_KEY"</code></pre>
<nav>
<a href="docs"><b>Reference</b> Every operation, with examples to try.</a>
<a href="openapi.json"><b>OpenAPI document</b> The same, for tools.</a>
<a href="readyz"><b>Ready?</b> Whether requests can be served.</a>
</nav>
</main>
</html>
`;

export const referencePage = (names: { reference: string; start: string }): string => `${head('Pet Store reference')}
<div id="reference"></div>
<noscript>This page needs JavaScript. The same is told by <a href="openapi.json">the OpenAPI document</a>.</noscript>
<script src="docs/${names.reference}"></script>
<script src="docs/${names.start}"></script>
</html>
`;

/** Everything that would call somebody else's server is off: the page works without a network. */
export const REFERENCE_START = `Scalar.createApiReference('#reference', {
  url: 'openapi.json',
  metaData: { title: 'Pet Store reference' },
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'json',
  // With all groups open it takes three times as long to draw.
  defaultOpenAllTags: false,
  orderSchemaPropertiesBy: 'preserve',
  authentication: { preferredSecurityScheme: 'apiKey' },
});
`;
