import type { Environment } from '../../kernel/environment.ts';
import type { RequestContext } from '../context.ts';
import { html } from '../reference/html.ts';
import { type Asset, answerAsset, makeAsset } from './asset.ts';
import type { Assets } from './assets.ts';
import { lazy } from './lazy.ts';
import type { Page } from './page-checks.ts';
import { framePage } from './pages.html.ts';
import { answerShared, type SharedBody, shareBody } from './shared-body.ts';

type Deps = {
  environment: Environment;
  assets: () => Promise<Assets>;
  pageHeaders: Record<string, string>;
};

type ConsoleFiles = { page: SharedBody; find(name: string): Asset | undefined };

/** The page is the same at every address of the console: all of them stand one step below `/console`. */
const makeConsole = async ({ environment, assets }: Deps): Promise<ConsoleFiles> => {
  const { bundleConsole } = await import('./console-bundle.ts');
  const [{ names }, files] = await Promise.all([assets(), bundleConsole()]);
  const named = (ending: string) => files.filter(({ name }) => name.endsWith(`.${ending}`));
  const page = framePage({
    title: 'Pet Store console',
    styles: [`../docs/${names.look}`, ...named('css').map(({ name }) => `assets/${name}`)],
    scripts: [`../docs/${names.theme}`],
    modules: named('js')
      .slice(0, 1)
      .map(({ name }) => `assets/${name}`),
    attributes: html` data-environment="${environment}"`,
    body: html`<div id="console"></div>
<noscript>The console is a program for browsers with JavaScript. Everything it does can be done with the <a href="../docs">API</a>.</noscript>`,
  });
  const made = files.map(async ({ name, text }): Promise<[string, Asset]> => {
    return [name, await makeAsset(text, name.slice(name.lastIndexOf('.') + 1))];
  });
  const byName = new Map(await Promise.all(made));
  return { page: await shareBody(new Blob([page])), find: (name) => byName.get(name) };
};

/** The console: a client of the API like any other. Made when its first reader comes. */
export const createConsolePages = (deps: Deps): [path: string, page: Page][] => {
  const files = lazy(() => makeConsole(deps));
  const showPage: Page['show'] = async ({ request }) => answerShared(request, (await files()).page, deps.pageHeaders);
  const findFile = async ({ params }: RequestContext) => (await files()).find(params.file ?? '');
  const file: Page = {
    exists: async (context) => (await findFile(context)) !== undefined,
    show: async (context) => answerAsset(context.request, (await findFile(context)) as Asset),
  };
  return [
    // Relative: it holds below any prefix a proxy puts before the service.
    ['/console', { show: () => new Response(null, { status: 308, headers: { Location: 'console/' } }) }],
    ['/console/', { show: showPage }],
    ['/console/:page', { show: showPage }],
    ['/console/assets/:file', file],
  ];
};
