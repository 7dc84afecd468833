/** A small page that leads on. */
export const HOME_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pet Store</title>
<style>
  body { font: 1rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 4rem auto; padding: 0 1.5rem; color: #1c2430; background: #fff }
  h1 { font-size: 1.9rem; margin: 0 0 .5rem }
  pre { background: #f2f4f7; padding: 1rem; border-radius: .5rem; overflow-x: auto }
  a { color: #0b62d6 }
  @media (prefers-color-scheme: dark) { body { color: #e6e9ee; background: #14181f } pre { background: #1f2530 } a { color: #7db4ff } }
</style>
<h1>Pet Store</h1>
<p>A JSON over HTTP interface to a pet store's catalogue of animals. Every request carries an API key.</p>
<pre><code>curl /v1/pets -H "Authorization: Bearer $API_KEY"</code></pre>
<ul>
  <li><a href="/docs">Reference</a>: every operation, with examples to try</li>
  <li><a href="/openapi.json">OpenAPI document</a>: the same for tools</li>
  <li><a href="/healthz">Alive?</a> <a href="/readyz">Ready?</a></li>
</ul>
</html>
`;

export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pet Store reference</title>
<link rel="icon" href="data:,">
<div id="reference"></div>
<noscript>This page needs JavaScript. The same is told by <a href="/openapi.json">the OpenAPI document</a>.</noscript>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>
</html>
`;

/** Everything that would call somebody else's server is off: the page works without a network. */
export const REFERENCE_START = `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  defaultOpenAllTags: true,
  authentication: { preferredSecurityScheme: 'apiKey' },
});
`;
