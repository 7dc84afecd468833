import { Failure } from '../kernel/failure.ts';
import type { Page } from './app.ts';
import { lazy } from './lazy.ts';
import { REFERENCE_START, referencePage } from './pages.html.ts';
import { answerShared, type SharedBody, shareBody } from './shared-body.ts';

/** The name holds the hash of what it names, so that it never has to be asked for again. */
const SCRIPT_HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=31536000, immutable',
};

/** The bundle of the installed package, as a file: 3.5 MB that are read while they are sent, and compressed once. */
const openBundle = async (): Promise<Blob> => {
  const { default: path } = await import('@scalar/api-reference/browser/standalone.js', { with: { type: 'file' } });
  const { openAsBlob } = await import('node:fs');
  return openAsBlob(path);
};

/** The reference page and its scripts, made when the first reader comes. */
export const createReferencePages = (pageHeaders: Record<string, string>): [path: string, page: Page][] => {
  const made = lazy(async () => {
    const reference = await shareBody(await openBundle());
    const start = await shareBody(new Blob([REFERENCE_START]));
    const names = { reference: `reference.${reference.hash}.js`, start: `start.${start.hash}.js` };
    const scripts = new Map<string | undefined, SharedBody>([
      [names.reference, reference],
      [names.start, start],
    ]);
    return { scripts, page: await shareBody(new Blob([referencePage(names)])) };
  });

  const showScript: Page['show'] = async ({ request, params, path }) => {
    const script = (await made()).scripts.get(params.script);
    if (!script) throw new Failure('route_not_found', `There is no page ${path}. The reference is at /docs.`);
    return answerShared(request, script, SCRIPT_HEADERS);
  };

  return [
    ['/docs', { show: async ({ request }) => answerShared(request, (await made()).page, pageHeaders) }],
    ['/docs/:script', { show: showScript }],
  ];
};
