import type { Page } from './app.ts';
import { lazy } from './lazy.ts';
import { createBaseUrl } from './links.ts';
import { homePage, REFERENCE_PAGE, REFERENCE_START } from './pages.html.ts';

type Deps = {
  /** Makes the OpenAPI document; asked once, for whoever wants to see it first. */
  makeDocument: () => Promise<object>;
  publicUrl: string | undefined;
  /** Whether requests can be served; throws or says no otherwise. */
  isReady: () => Promise<boolean>;
};

/**
 * Scripts and styles come from here and nowhere else; the reference page styles itself inline. Requests that a reader
 * tries out go to the address that the document names, which may be another than the one the page was read at.
 */
const pageHeaders = (publicUrl: string | undefined) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    `font-src 'self' data:; connect-src 'self'${publicUrl ? ` ${new URL(publicUrl).origin}` : ''}; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
});

const json = (status: number, body: unknown): Response =>
  Response.json(body, { status, headers: { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' } });

const SCRIPT_HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'public, max-age=3600',
};

const GZIP = /\bgzip\b(?! *; *q=0(?:\.0*)?(?:,|$))/;

/** Loaded when it is needed: with all that it brings along it takes 15 ms of a start. */
const compress = async (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => {
  const { gzip } = await import('node:zlib');
  return new Promise((resolve, reject) => {
    gzip(bytes, (error, compressed) => (error ? reject(error) : resolve(compressed)));
  });
};

/** The bundle of the reference page, from the installed package, compressed off the main thread when first asked for. */
const referenceBundle = (): Page => {
  const read = async () => {
    const { readFile } = await import('node:fs/promises');
    return readFile(new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')));
  };
  const compressed = lazy(async () => compress(await read()));
  return async (request) => {
    const headers = { ...SCRIPT_HEADERS, Vary: 'Accept-Encoding' };
    if (!GZIP.test(request.headers.get('accept-encoding') ?? '')) return new Response(await read(), { headers });
    return new Response(await compressed(), { headers: { ...headers, 'Content-Encoding': 'gzip' } });
  };
};

/** What is served outside `/v1`: for people, for machines that watch, and for tools that read the contract. */
export const createPages = ({ makeDocument, publicUrl, isReady }: Deps): Map<string, Page> => {
  const headers = pageHeaders(publicUrl);
  const baseUrl = createBaseUrl(publicUrl);
  const baseOf = (request: Request): string => baseUrl(request.headers.get('host') ?? '');
  const document = lazy(makeDocument);
  return new Map<string, Page>([
    ['/', (request) => new Response(homePage(baseOf(request)), { headers })],
    ['/docs', () => new Response(REFERENCE_PAGE, { headers })],
    ['/docs/start.js', () => new Response(REFERENCE_START, { headers: SCRIPT_HEADERS })],
    ['/docs/reference.js', referenceBundle()],
    [
      '/openapi.json',
      async (request) => json(200, { ...(await document()), servers: [{ url: `${baseOf(request)}/v1` }] }),
    ],
    ['/healthz', () => json(200, { status: 'ok' })],
    [
      '/readyz',
      async () => {
        const ready = await isReady().catch(() => false);
        return json(ready ? 200 : 503, { status: ready ? 'ready' : 'unavailable' });
      },
    ],
  ]);
};
