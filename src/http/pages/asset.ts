import { answerShared, type SharedBody, shareBody } from './shared-body.ts';

/** A file that a page loads. Its name changes with what is in it, so that it never has to be asked for again. */
export type Asset = { body: SharedBody; type: string };

const TYPES: Record<string, string> = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

export const makeAsset = async (text: string, ending: string): Promise<Asset> => ({
  body: await shareBody(new Blob([text])),
  type: TYPES[ending] ?? 'application/octet-stream',
});

export const answerAsset = (request: Request, { body, type }: Asset): Response =>
  answerShared(request, body, { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' });
