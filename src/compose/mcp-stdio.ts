import { CONTRACTS, createSent, TAGS } from '../contract.ts';
import { createDocument } from '../http/openapi.ts';
import type { Scope } from '../kernel/contract.ts';
import type { ApiRequest } from '../mcp/call-tool.ts';
import { VERSION } from '../version.ts';
import { loadMcpServer } from './mcp-server.ts';

type Options = { url: string; key: string };

/** Speaks the Model Context Protocol on standard input and output, for a service elsewhere. Returns how to end it. */
export const serveMcpOnStdio = async ({ url, key }: Options) => {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const makeDocument = async () =>
    createDocument({ contracts: CONTRACTS, tags: TAGS, sent: createSent(), version: VERSION });
  const createServer = await loadMcpServer({ contracts: CONTRACTS, makeDocument });
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}/v1${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${key}` },
      // A redirect could carry the key elsewhere.
      redirect: 'manual',
    });
  const send = ({ path, method, headers, body }: ApiRequest): Promise<Response> =>
    ask(path, { method, headers, ...(body === undefined ? {} : { body }) });
  /** Asked anew for each server, so that a key that was given more may do more. */
  const scopesOf = async (): Promise<Scope[]> => {
    const answer = await ask('/keys/me');
    return answer.ok ? ((await answer.json()) as { scopes: Scope[] }).scopes : [];
  };
  return serveStdio(async () => createServer({ scopes: await scopesOf(), send }));
};
