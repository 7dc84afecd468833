import type { Contract } from '../../kernel/contract.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { RequestContext } from '../context.ts';
import type { OpenapiDocument } from '../reference/openapi-document.ts';
import { type Asset, answerAsset } from './asset.ts';
import type { Assets } from './assets.ts';
import { lazy } from './lazy.ts';
import type { Page } from './page-checks.ts';
import { answerShared, type SharedBody, shareBody } from './shared-body.ts';

type Deps = {
  makeDocument: () => Promise<object>;
  contracts: readonly Contract[];
  environment: Environment;
  publicUrl: string | undefined;
  assets: () => Promise<Assets>;
  pageHeaders: Record<string, string>;
};

const share = (text: string): Promise<SharedBody> => shareBody(new Blob([text]));

/** The reference, the page of errors, and the styles and scripts of all pages: made when the first reader comes. */
export const createReferencePages = (deps: Deps): [path: string, page: Page][] => {
  const { makeDocument, contracts, environment, publicUrl, assets, pageHeaders } = deps;
  const reference = lazy(async () => {
    const [{ referencePage }, { GUIDE_TEXTS }, { names }, document] = await Promise.all([
      import('../reference/reference.html.ts'),
      import('../reference/guide-texts.ts'),
      assets(),
      makeDocument() as Promise<OpenapiDocument>,
    ]);
    return share(referencePage({ document, contracts, guides: GUIDE_TEXTS, environment, publicUrl }, names));
  });
  const errors = lazy(async () => {
    const { errorsPage } = await import('../reference/errors.html.ts');
    return share(errorsPage({ contracts, environment, ...(await assets()).names }));
  });

  const findAsset = async ({ params }: RequestContext) => (await assets()).find(params.asset);
  const asset: Page = {
    exists: async (context) => (await findAsset(context)) !== undefined,
    show: async (context) => answerAsset(context.request, (await findAsset(context)) as Asset),
  };

  return [
    // Relative, as all links of the pages: it holds below any prefix a proxy puts before the service.
    ['/docs/', { show: () => new Response(null, { status: 308, headers: { Location: '../docs' } }) }],
    ['/docs', { show: async ({ request }) => answerShared(request, await reference(), pageHeaders) }],
    ['/docs/errors', { show: async ({ request }) => answerShared(request, await errors(), pageHeaders) }],
    ['/docs/:asset', asset],
  ];
};
