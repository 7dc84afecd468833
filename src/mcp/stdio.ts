import { CONTRACTS } from '../contracts.ts';
import { SCOPES, type Scope } from '../kernel/contract.ts';
import type { ApiRequest } from './call-tool.ts';

type Options = { url: string; key: string };

/** The service answers within seconds or not at all. */
const PATIENCE_MS = 60_000;

/** Asks a service elsewhere. One that cannot be reached is a refusal too, which says what to change. */
const createAsk =
  ({ url, key }: Options) =>
  (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}/v1${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${key}` },
      // A redirect could carry the key elsewhere.
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => {
      const message = `Nothing answers at ${url}. Start the service, or set PETSTORE_URL to where it is.`;
      return Response.json({ code: 'unavailable', message, status: 503 }, { status: 503 });
    });

/** The transport stops reading when a message exceeds its buffer of 10 MiB, and reports it only here. */
const TOO_LONG = /exceeded maximum size/;

/**
 * Speaks the Model Context Protocol on standard input and output, for a service elsewhere. Returns how to end it.
 * `stopped` is called when a message was too long: nothing is read or answered from then on.
 */
export const serveMcpOnStdio = async (options: Options, stopped: () => void) => {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { createMcpServers } = await import('./server.ts');
  const createServer = await createMcpServers(CONTRACTS);
  const ask = createAsk(options);
  const send = ({ path, method, headers, body }: ApiRequest): Promise<Response> =>
    ask(path, { method, headers, ...(body === undefined ? {} : { body }) });
  /** Asked once for each server. While nobody can say, everything is listed: whoever calls it is told why not. */
  const scopesOf = async (): Promise<readonly Scope[]> => {
    const answer = await ask('/keys/me');
    return answer.ok ? ((await answer.json()) as { scopes: Scope[] }).scopes : SCOPES;
  };
  return serveStdio(async () => createServer({ scopes: await scopesOf(), send }), {
    onerror: ({ message }) => {
      if (TOO_LONG.test(message)) stopped();
    },
  });
};
