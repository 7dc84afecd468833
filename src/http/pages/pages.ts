import type { Clock } from '../../kernel/clock.ts';
import type { Contract, Environment } from '../../kernel/contract.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import { createMetricsPage } from '../observe/metrics-page.ts';
import { createConsolePages } from './console-pages.ts';
import { createDocumentPage, type Document } from './document-page.ts';
import { lazy } from './lazy.ts';
import { createOwnHost } from './own-host.ts';
import type { Page } from './page-checks.ts';
import { homePage } from './pages.html.ts';
import { createReferencePages } from './reference-pages.ts';

type Deps = {
  makeDocument: () => Promise<Document>;
  /** Pages that are made elsewhere. */
  others: readonly [path: string, page: Page][];
  clock: Clock;
  metrics: Pick<Metrics, 'show'>;
  contracts: readonly Contract[];
  environment: Environment;
  publicUrl: string | undefined;
  /** The address that the service listens on. */
  listensOn: string;
  /** Whether requests can be served; throws or says no otherwise. */
  isReady: () => Promise<boolean>;
};

/**
 * Scripts and styles come from here, from files, and nothing a page is told can become either. Requests that a reader
 * tries out go to the public address, which may be another than the one the page was read at.
 */
const pageHeaders = (publicUrl: string | undefined) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; " +
    `connect-src 'self'${publicUrl ? ` ${new URL(publicUrl).origin}` : ''}; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // A page of another site that opens this one gets no hold of its window.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
});

const json = (status: number, body: unknown): Response =>
  Response.json(body, { status, headers: { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' } });

/** What is served outside `/v1`: for people, for machines that watch, and for tools that read the contract. */
export const createPages = (deps: Deps): Map<string, Page> => {
  const { environment, publicUrl, listensOn, isReady } = deps;
  const headers = pageHeaders(publicUrl);
  const isOwnHost = createOwnHost(listensOn);
  const makeDocument = lazy(deps.makeDocument);
  const assets = lazy(async () => (await import('./assets.ts')).makeAssets());
  const showHome: Page['show'] = async ({ base, host }) => {
    const { names } = await assets();
    return new Response(homePage(publicUrl !== undefined || isOwnHost(host) ? base : '', environment, names), {
      headers,
    });
  };
  return new Map<string, Page>([
    ['/', { show: showHome }],
    ...createReferencePages({ ...deps, makeDocument, assets, pageHeaders: headers }),
    ...createConsolePages({ environment, assets, pageHeaders: headers }),
    ...deps.others,
    ['/openapi.json', createDocumentPage({ ...deps, makeDocument })],
    ['/metrics', createMetricsPage(deps.metrics)],
    ['/healthz', { isFree: true, show: () => json(200, { status: 'ok' }) }],
    [
      '/readyz',
      {
        isFree: true,
        show: async () => {
          const ready = await isReady().catch(() => false);
          return json(ready ? 200 : 503, { status: ready ? 'ready' : 'unavailable' });
        },
      },
    ],
  ]);
};
