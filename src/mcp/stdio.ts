import { CONTRACTS } from '../contracts.ts';
import { SCOPES, type Scope } from '../kernel/contract.ts';
import type { ApiRequest } from './call-tool.ts';

type Options = { url: string; key: string; listsDeprecated: boolean };

const PATIENCE_MS = 60_000;

/** The transport stops reading after a message of over 10 MiB. Only the transport's error message shows the reason. */
const TOO_LONG = /exceeded maximum size/;

export const serveMcpOnStdio = async ({ url, key, listsDeprecated }: Options, stopped: () => void) => {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { createMcpServers } = await import('./server.ts');
  const createServer = await createMcpServers(CONTRACTS);
  const send = ({ path, method, headers, body }: Omit<ApiRequest, 'tool' | 'params'>): Promise<Response> =>
    fetch(`${url}/v1${path}`, {
      method,
      headers: { ...headers, Authorization: `Bearer ${key}` },
      body,
      // Following a redirect could send the key to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => {
      const message = `No response from ${url}. Start the service, or set PETSTORE_URL to its address.`;
      return Response.json({ code: 'unavailable', message, status: 503 }, { status: 503 });
    });
  /** If the key's scopes cannot be read, all tools are listed. The service still refuses forbidden calls. */
  const readKey = async (): Promise<{ scopes: readonly Scope[]; isProduction?: boolean }> => {
    const answer = await send({ path: '/keys/me', method: 'GET', headers: {} });
    if (!answer.ok) return { scopes: SCOPES };
    const { scopes, prefix } = (await answer.json()) as { scopes: Scope[]; prefix: string };
    return { scopes, isProduction: prefix.startsWith('ps_live_') };
  };
  return serveStdio(async () => createServer({ ...(await readKey()), listsDeprecated, send }), {
    onerror: ({ message }) => {
      if (TOO_LONG.test(message)) stopped();
    },
  });
};
