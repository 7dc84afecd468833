import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Page } from './app.ts';
import { baseUrl } from './links.ts';
import { HOME_PAGE, REFERENCE_PAGE, REFERENCE_START } from './pages.html.ts';

type Deps = {
  document: (serverUrl: string) => unknown;
  publicUrl: string | undefined;
  /** Whether requests can be served; throws or says no otherwise. */
  isReady: () => Promise<boolean>;
};

/** Scripts and styles come from here and nowhere else. The reference page styles itself inline. */
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

const html =
  (text: string): Page =>
  () =>
    new Response(text, { headers: PAGE_HEADERS });

const json = (status: number, body: unknown): Response =>
  Response.json(body, { status, headers: { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' } });

const SCRIPT_HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'public, max-age=3600',
};

/** The bundle of the reference page, from the installed package, read and compressed when it is first asked for. */
const referenceBundle = (): Page => {
  let bundle: Promise<Uint8Array<ArrayBuffer>> | undefined;
  const load = async () => {
    const packagePath = createRequire(import.meta.url).resolve('@scalar/api-reference');
    return new Uint8Array(gzipSync(await readFile(join(dirname(packagePath), 'browser', 'standalone.js'))));
  };
  return async (request) => {
    bundle ??= load();
    const headers = { ...SCRIPT_HEADERS, Vary: 'Accept-Encoding' };
    if (request.headers.get('accept-encoding')?.includes('gzip')) {
      return new Response(await bundle, { headers: { ...headers, 'Content-Encoding': 'gzip' } });
    }
    return new Response(gunzipSync(await bundle), { headers });
  };
};

/** What is served outside `/v1`: for people, for machines that watch, and for tools that read the contract. */
export const createPages = ({ document, publicUrl, isReady }: Deps): Map<string, Page> =>
  new Map<string, Page>([
    ['/', html(HOME_PAGE)],
    ['/docs', html(REFERENCE_PAGE)],
    ['/docs/start.js', () => new Response(REFERENCE_START, { headers: SCRIPT_HEADERS })],
    ['/docs/reference.js', referenceBundle()],
    ['/openapi.json', (request) => json(200, document(`${baseUrl(request, publicUrl)}/v1`))],
    ['/healthz', () => json(200, { status: 'ok' })],
    [
      '/readyz',
      async () => {
        const ready = await isReady().catch(() => false);
        return json(ready ? 200 : 503, { status: ready ? 'ready' : 'unavailable' });
      },
    ],
  ]);
