import { TAGS } from '../contract.ts';
import type { App, Page } from '../http/app.ts';
import type { CheckDeps } from '../http/checks.ts';
import type { Exchange } from '../http/exchange.ts';
import { lazy } from '../http/lazy.ts';
import { serverPath } from '../http/routes.ts';
import type { Contract } from '../kernel/contract.ts';
import type { ApiRequest } from '../mcp/call-tool.ts';
import { createLlmsText } from '../mcp/llms-text.ts';
import type { Principal } from '../mcp/server.ts';
import { loadMcpServer } from './mcp-server.ts';

type Deps = {
  contracts: readonly Contract[];
  makeDocument(): Promise<object>;
  authenticate: CheckDeps['authenticate'];
  /** The app that this is a page of. */
  app(): App;
};

/** As an ordinary body of the API. */
const MOST_BYTES = 64 * 1024;

/** What agents use is loaded when the first comes. */
const load = (deps: Deps) =>
  lazy(async () => {
    const { createMcpHandler } = await import('@modelcontextprotocol/server');
    const createServer = await loadMcpServer(deps);
    // There is nothing to be told of changes to: what a key may do is looked at with each request.
    const options = { maxRequestBodySize: MOST_BYTES, maxSubscriptions: 0 };
    return (request: Request, principal: Principal): Promise<Response> =>
      createMcpHandler(() => createServer(principal), options).fetch(request);
  });

/** Calls the API as the one who called the page: the same key, address, limits, log and audit. */
const sendAs =
  ({ app }: Deps, { request, address, host }: Exchange) =>
  async ({ tool, params, path, method, headers, body }: ApiRequest): Promise<Response> => {
    const handle = app().routes.get(serverPath(tool.contract));
    if (!handle) throw new Error(`there is no route of ${tool.contract.id}`);
    const authorization = request.headers.get('authorization') ?? '';
    const asked = new Request(`http://localhost/v1${path}`, {
      method,
      headers: { ...headers, Authorization: authorization, Host: host },
      ...(body === undefined ? {} : { body }),
    });
    return handle(asked, params, address);
  };

/** The operations as tools of the Model Context Protocol, over HTTP (`/mcp`), and what a program should read first. */
export const composeMcp = (deps: Deps): [path: string, page: Page][] => {
  const loaded = load(deps);
  const show: Page['show'] = async (exchange) => {
    const { request } = exchange;
    const { scopes } = await deps.authenticate(request.headers.get('authorization'), () => false);
    const serve = await loaded();
    return serve(request, { scopes, send: sendAs(deps, exchange) });
  };
  const llms = createLlmsText(deps.contracts, TAGS);
  const headers = { 'Content-Type': 'text/markdown; charset=utf-8', 'Cache-Control': 'no-cache' };
  return [
    ['/mcp', { show, allow: 'POST' }],
    ['/llms.txt', { show: () => new Response(llms, { headers }) }],
  ];
};
