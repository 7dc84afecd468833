import { sleep } from '../kernel/runtime.ts';
import type { App, Handler } from './app.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;
// The runtime closes a connection that has been idle for this long, even if a handler is still working on the response.
const IDLE_SECONDS = 30;

type Address = { host: string; port: number; idleSeconds?: number | undefined };

type Routed = Request & { params?: Record<string, string> };

export const listen = (app: App, address: Address, opened?: Promise<void>) => {
  let waitsFor = opened;
  void opened?.then(() => {
    waitsFor = undefined;
  });
  const adapt = (handle: Handler) => (request: Routed, server: Bun.Server<unknown>) => {
    const incoming = { request, params: request.params ?? {}, socket: server.requestIP(request)?.address ?? '' };
    return waitsFor ? waitsFor.then(() => handle(incoming)) : handle(incoming);
  };

  const server = Bun.serve({
    hostname: address.host,
    port: address.port,
    development: false,
    // If port reuse were on, two services could listen on the same port, and each would receive some of the requests.
    reusePort: false,
    idleTimeout: address.idleSeconds ?? IDLE_SECONDS,
    maxRequestBodySize: MAX_BODY_BYTES,
    routes: Object.fromEntries([...app.routes].map(([path, handle]) => [path, adapt(handle)])),
    fetch: adapt(app.fallback),
    error: (error) => app.crashed(error),
  });

  return {
    port: server.port as number,
    async stop(deadlineMs: number): Promise<void> {
      await Promise.race([server.stop(), sleep(deadlineMs)]);
      await server.stop(true);
    },
  };
};

export type Server = ReturnType<typeof listen>;
