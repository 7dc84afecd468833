import type { Environment } from '../../kernel/contract.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import { shareRuns } from '../../kernel/runtime.ts';
import { createMetricsPage } from '../observe/metrics-page.ts';
import { createOwnHost } from './own-host.ts';
import type { Page } from './page-checks.ts';
import { loadConsole, loadDocs } from './site.ts';
import { answerFile, createFiles, type ReadyFile, type ReadyFiles, type Site, textOf } from './site-file.ts';

type Deps = {
  others: readonly [path: string, page: Page][];
  metrics: Pick<Metrics, 'show'>;
  environment: Environment;
  publicUrl: string | undefined;
  listensOn: string;
  isReady: () => Promise<boolean>;
};

const HUNG_MS = 5000;

type ReadinessDeps = { findAdmin(): Promise<unknown>; canServe(): boolean; waitedMs(): number };

/** `/readyz` has no rate limit, so concurrent requests share one database read. */
export const createReadiness = ({ findAdmin, canServe, waitedMs }: ReadinessDeps) => {
  const readAdmin = shareRuns(findAdmin);
  return async (): Promise<boolean> => canServe() && waitedMs() < HUNG_MS && (await readAdmin()) !== undefined;
};

/** The API reference may send requests to the public URL, which may differ from the address of the page itself. */
const pageHeaders = (publicUrl: string | undefined) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; " +
    `connect-src 'self'${publicUrl ? ` ${new URL(publicUrl).origin}` : ''}; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
});

const json = (status: number, body: unknown): Response =>
  Response.json(body, { status, headers: { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' } });

const DOCUMENT_HEADERS = {
  'Content-Type': 'application/json;charset=utf-8',
  'Cache-Control': 'no-cache',
  'Access-Control-Allow-Origin': '*',
};

const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const filePage = (files: ReadyFiles, path: string, headers: Record<string, string>): Page => ({
  show: async ({ request }) => answerFile(request, (await files.find(path)) as ReadyFile, headers),
});

const assetPage = (files: ReadyFiles, folder: string): Page => ({
  exists: async ({ params }) => (await files.find(`${folder}/${params.file}`)) !== undefined,
  show: async ({ request, params }) =>
    answerFile(request, (await files.find(`${folder}/${params.file}`)) as ReadyFile, {
      'Content-Type': `text/${params.file?.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
      'Cache-Control': 'public, max-age=31536000, immutable',
    }),
});

/** A relative redirect also works behind a proxy that adds a path prefix. */
const redirectPage = (to: string): Page => ({
  show: () => new Response(null, { status: 308, headers: { Location: to } }),
});

const withPublicUrl = (site: Site, publicUrl: string): Site =>
  new Map(site).set('/docs', async () => {
    const text = await textOf((await site.get('/docs')?.()) ?? '');
    return text.replace('<html', () => `<html data-base="${escapeText(publicUrl)}"`);
  });

export const createPages = ({ environment, publicUrl, listensOn, isReady, metrics, others }: Deps) => {
  const headers = pageHeaders(publicUrl);
  const isOwnHost = createOwnHost(listensOn);
  const consoleFiles = createFiles(() => loadConsole(environment));
  const docs = createFiles(async () => {
    const site = await loadDocs(environment);
    return publicUrl === undefined ? site : withPublicUrl(site, publicUrl);
  });
  const showHome: Page['show'] = async ({ base, host }) => {
    const text = await (await docs.find('/'))?.plain.text();
    const isKnown = base !== '' && (publicUrl !== undefined || isOwnHost(host));
    return new Response(isKnown ? text?.replace('$PETSTORE_URL', () => escapeText(base)) : text, { headers });
  };
  const showReady: Page['show'] = async () => {
    const ready = await isReady().catch(() => false);
    return json(ready ? 200 : 503, { status: ready ? 'ready' : 'unavailable' });
  };
  return new Map<string, Page>([
    ['/', { show: showHome }],
    ['/docs/', redirectPage('../docs')],
    ['/docs', filePage(docs, '/docs', headers)],
    ['/docs/errors', filePage(docs, '/docs/errors', headers)],
    ['/docs/:file', assetPage(docs, '/docs')],
    ['/openapi.json', filePage(docs, '/openapi.json', DOCUMENT_HEADERS)],
    ['/console', redirectPage('console/')],
    ['/console/', filePage(consoleFiles, '/console/', headers)],
    ['/console/:page', filePage(consoleFiles, '/console/', headers)],
    ['/console/assets/:file', assetPage(consoleFiles, '/console/assets')],
    ...others,
    ['/metrics', createMetricsPage(metrics)],
    ['/healthz', { isFree: true, show: () => json(200, { status: 'ok' }) }],
    ['/readyz', { isFree: true, show: showReady }],
  ]);
};
