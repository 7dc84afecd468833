import type { App } from '../http/app.ts';
import type { RequestContext } from '../http/context.ts';
import { MANY_ROWS, ONE_ROW, parseBody, readBody } from '../http/input/read-body.ts';
import { formatTraceparent } from '../http/observe/trace.ts';
import { createOwnOrigin } from '../http/pages/own-host.ts';
import type { Page } from '../http/pages/page-checks.ts';
import { serverPath } from '../http/routes.ts';
import type { Contract } from '../kernel/contract.ts';
import { Failure } from '../kernel/failure.ts';
import type { Caller } from '../kernel/operation.ts';
import { lazy } from '../kernel/runtime.ts';
import type { ApiRequest } from './call-tool.ts';
import { createLlmsText } from './llms-text.ts';
import type { Principal } from './server.ts';

type Deps = { contracts: readonly Contract[]; publicUrl: string | undefined; listensOn: string; app(): App };

const MESSAGE = { ...ONE_ROW, json: MANY_ROWS.json };

// Refuses batches, because 100 messages in a batch would count as one request. Also, if a message cancelled another
// message in its batch, the response would stay open forever.
const readMessage = async (request: Request): Promise<unknown> => {
  const message = parseBody(await readBody(request, ['application/json'], MESSAGE), false, MESSAGE);
  if (!Array.isArray(message)) return message;
  throw new Failure('invalid_request', 'Send one message per request. Batches are not supported.');
};

const sendAs =
  ({ app }: Deps, { request, address, host, trace }: RequestContext) =>
  async ({ tool, params, path, method, headers, body }: ApiRequest): Promise<Response> => {
    const handle = app().routes.get(serverPath(tool.contract));
    if (!handle) throw new Error(`no route for ${tool.contract.id}`);
    const authorization = request.headers.get('authorization') ?? '';
    const sent = new Request(`http://localhost/v1${path}`, {
      method,
      headers: {
        ...headers,
        Authorization: authorization,
        Host: host,
        ...(trace ? { traceparent: formatTraceparent(trace) } : {}),
      },
      signal: request.signal,
      body,
    });
    return handle({ request: sent, params, socket: address });
  };

/** A response may contain a new key, so it must not be cached. */
const PRIVATE = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

const FOREIGN_ORIGIN =
  'The Origin header names another site. Call /mcp without a browser, or from the address in PETSTORE_PUBLIC_URL.';

// Refuses requests from web pages of other sites, as MCP requires (2025-11-25, Streamable HTTP). Only web pages send an
// Origin header.
const createForbid = (deps: Deps): NonNullable<Page['forbid']> => {
  const isOwnOrigin = createOwnOrigin(deps);
  return ({ request, host }) => {
    const origin = request.headers.get('origin');
    if (origin === null || isOwnOrigin(origin, host)) return undefined;
    const error = { code: -32000, message: FOREIGN_ORIGIN };
    return Response.json({ jsonrpc: '2.0', error }, { status: 403, headers: PRIVATE });
  };
};

export const composeMcp = (deps: Deps): [path: string, page: Page][] => {
  const load = lazy(async () => {
    const { createMcpHandler } = await import('@modelcontextprotocol/server');
    const { createMcpServers } = await import('./server.ts');
    const createServer = await createMcpServers(deps.contracts);
    // Clients cannot subscribe to changes to the tool list. The list depends on the key's scopes, which are read for
    // each request, so a client can request the current list at any time.
    const options = { maxSubscriptions: 0 };
    return (request: Request, parsedBody: unknown, principal: Principal): Promise<Response> =>
      createMcpHandler(() => createServer(principal), options).fetch(request, { parsedBody });
  });
  const show: Page['show'] = async (context) => {
    const { request } = context;
    const { scopes } = context.caller as Caller;
    const [serve, message] = await Promise.all([load(), readMessage(request)]);
    const listsDeprecated = new URL(request.url).searchParams.get('deprecated') === 'true';
    const answer = await serve(request, message, { scopes, listsDeprecated, send: sendAs(deps, context) });
    for (const [name, value] of Object.entries(PRIVATE)) answer.headers.set(name, value);
    return answer;
  };
  const llms = createLlmsText(deps.contracts);
  const headers = {
    'Content-Type': 'text/markdown; charset=utf-8',
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
  };
  return [
    ['/mcp', { show, allow: 'POST', needsKey: true, forbid: createForbid(deps) }],
    ['/llms.txt', { show: () => new Response(llms, { headers }) }],
  ];
};
