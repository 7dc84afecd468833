import { Webhook } from 'standardwebhooks';
import { waitFor } from './wait-for.ts';

export type Arrived = {
  path: string;
  id: string;
  type: string;
  sequence: number;
  petId: number;
  isValid: boolean;
  isAccepted: boolean;
  /** Milliseconds since the start of this process. */
  atMs: number;
};

type Respond = (arrived: Arrived) => Response | Promise<Response>;

export const fine = () => new Response('thanks');
export const refuse = (status = 500, headers: Record<string, string> = {}) => new Response('no', { status, headers });
export const hang = () => new Promise<Response>(() => undefined);
export const trickle = () => {
  let timer: ReturnType<typeof setInterval>;
  const body = new ReadableStream({
    start(controller) {
      timer = setInterval(() => controller.enqueue(new Uint8Array([46])), 50);
    },
    cancel: () => clearInterval(timer),
  });
  return new Response(body);
};

/**
 * Verifies deliveries with the official webhook library. Each path has its own port, because the service limits how
 * much it sends to a single port.
 */
export const startReceiver = (clock?: () => number) => {
  const secrets = new Map<string, string>();
  const arrived: Arrived[] = [];
  const load = { now: 0, most: 0 };
  let respond: Respond = fine;

  const isValid = (request: Request, path: string, body: string): boolean => {
    const headers = Object.fromEntries(request.headers);
    const webhook = new Webhook(secrets.get(path) ?? '');
    if (!clock) {
      webhook.verify(body, headers);
      return true;
    }
    // If there is a test clock, this function checks the delivery's age, because the library knows only the machine's
    // clock.
    const seconds = Number(headers['webhook-timestamp']);
    const signature = webhook.sign(headers['webhook-id'] ?? '', new Date(seconds * 1000), body);
    return headers['webhook-signature'] === signature && Math.abs(clock() / 1000 - seconds) <= 1;
  };

  const judge = (...delivery: Parameters<typeof isValid>): boolean => {
    try {
      return isValid(...delivery);
    } catch {
      return false;
    }
  };

  const serve = (port: number) =>
    Bun.serve({
      hostname: '127.0.0.1',
      port,
      idleTimeout: 120,
      async fetch(request) {
        const path = new URL(request.url).pathname;
        const text = await request.text();
        const body = JSON.parse(text);
        const it: Arrived = {
          path,
          id: request.headers.get('webhook-id') ?? '',
          type: body.type,
          sequence: body.sequence,
          petId: body.data.object.id,
          isValid: judge(request, path, text) && request.headers.get('webhook-id') === body.id,
          isAccepted: false,
          atMs: performance.now(),
        };
        arrived.push(it);
        load.now += 1;
        load.most = Math.max(load.most, load.now);
        try {
          const answer = await respond(it);
          it.isAccepted = answer.ok;
          return answer;
        } finally {
          load.now -= 1;
        }
      },
    });
  type Server = ReturnType<typeof serve>;
  const serveIfFree = (port: number): Server | undefined => {
    try {
      return serve(port);
    } catch {
      return undefined;
    }
  };
  const ports = new Map<string, number>();
  let servers: Server[] = [];
  const portOf = (path: string): number => {
    const known = ports.get(path);
    if (known !== undefined) return known;
    const server = serve(0);
    servers.push(server);
    ports.set(path, server.port as number);
    return server.port as number;
  };

  const at = (path: string) => arrived.filter((it) => it.path === path);

  return {
    arrived,
    load,
    secrets,
    at,
    url: (path: string) => `http://127.0.0.1:${portOf(path)}${path}`,
    sharedUrl: (path: string) => `http://127.0.0.1:${portOf('shared')}${path}`,
    respond: (how: Respond) => {
      respond = how;
    },
    until: (path: string, count: number, _withinMs?: number): Promise<Arrived[]> =>
      waitFor(
        `${count} deliveries at ${path}`,
        () => at(path),
        ({ length }) => length >= count,
      ),
    async down() {
      await Promise.all(servers.map((server) => server.stop(true)));
      servers = [];
    },
    async up() {
      if (servers.length > 0) return;
      for (const port of ports.values()) {
        servers.push(await waitFor(`port ${port} is free`, () => serveIfFree(port)));
      }
    },
  };
};

export type Receiver = ReturnType<typeof startReceiver>;
