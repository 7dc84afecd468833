import { CONTRACTS } from '../contracts.ts';
import { SCOPES, type Scope } from '../kernel/contract.ts';
import type { ApiRequest } from './call-tool.ts';

type Options = { url: string; key: string; listsDeprecated: boolean };

/** Timeout for a request to the service, in ms. A working service answers within seconds. */
const PATIENCE_MS = 60_000;

const createAsk =
  ({ url, key }: Options) =>
  (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}/v1${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${key}` },
      // A redirect could send the key to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => {
      const message = `No response from ${url}. Start the service, or set PETSTORE_URL to its address.`;
      return Response.json({ code: 'unavailable', message, status: 503 }, { status: 503 });
    });

/** The transport stops reading after a message of over 10 MiB. This error message is the only sign of that. */
const TOO_LONG = /exceeded maximum size/;

/**
 * Serves MCP on standard input and output, for a remote service. Returns a handle with `close`. Calls `stopped` after a
 * message that was too long, because the transport then reads and answers nothing more.
 */
export const serveMcpOnStdio = async (options: Options, stopped: () => void) => {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { createMcpServers } = await import('./server.ts');
  const createServer = await createMcpServers(CONTRACTS);
  const ask = createAsk(options);
  const send = ({ path, method, headers, body }: ApiRequest): Promise<Response> =>
    ask(path, { method, headers, ...(body === undefined ? {} : { body }) });
  /** If the key cannot be read, all tools are listed. The service still refuses calls that the key does not allow. */
  const readKey = async (): Promise<{ scopes: readonly Scope[]; isProduction?: boolean }> => {
    const answer = await ask('/keys/me');
    if (!answer.ok) return { scopes: SCOPES };
    const { scopes, prefix } = (await answer.json()) as { scopes: Scope[]; prefix: string };
    // An admin key chosen by the operator may have any prefix. Tools that exist only in staging are then listed too.
    return { scopes, isProduction: prefix.startsWith('ps_live_') };
  };
  const { listsDeprecated } = options;
  return serveStdio(async () => createServer({ ...(await readKey()), listsDeprecated, send }), {
    onerror: ({ message }) => {
      if (TOO_LONG.test(message)) stopped();
    },
  });
};
