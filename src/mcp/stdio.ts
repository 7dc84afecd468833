import { CONTRACTS } from '../contracts.ts';
import { SCOPES, type Scope } from '../kernel/contract.ts';
import type { ApiRequest } from './call-tool.ts';

type Options = { url: string; key: string; listsDeprecated: boolean };

const PATIENCE_MS = 60_000;

const createAsk =
  ({ url, key }: Options) =>
  (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}/v1${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${key}` },
      // Following a redirect could send the key to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => {
      const message = `No response from ${url}. Start the service, or set PETSTORE_URL to its address.`;
      return Response.json({ code: 'unavailable', message, status: 503 }, { status: 503 });
    });

/** The transport stops reading after a message of over 10 MiB. Only the transport's error message shows the reason. */
const TOO_LONG = /exceeded maximum size/;

export const serveMcpOnStdio = async (options: Options, stopped: () => void) => {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { createMcpServers } = await import('./server.ts');
  const createServer = await createMcpServers(CONTRACTS);
  const ask = createAsk(options);
  const send = ({ path, method, headers, body }: ApiRequest): Promise<Response> => ask(path, { method, headers, body });
  /** If the key's scopes cannot be read, all tools are listed. The service still refuses forbidden calls. */
  const readKey = async (): Promise<{ scopes: readonly Scope[]; isProduction?: boolean }> => {
    const answer = await ask('/keys/me');
    if (!answer.ok) return { scopes: SCOPES };
    const { scopes, prefix } = (await answer.json()) as { scopes: Scope[]; prefix: string };
    return { scopes, isProduction: prefix.startsWith('ps_live_') };
  };
  const { listsDeprecated } = options;
  return serveStdio(async () => createServer({ ...(await readKey()), listsDeprecated, send }), {
    onerror: ({ message }) => {
      if (TOO_LONG.test(message)) stopped();
    },
  });
};
