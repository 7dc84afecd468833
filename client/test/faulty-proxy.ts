import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Fault =
  | 'lose the request'
  | 'lose the answer'
  | { status: number; headers?: Record<string, string>; body?: string };

type Seen = { method: string; path: string; idempotencyKey: string | undefined; fault: Fault | undefined };

const collect = async (stream: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

export const startFaultyProxy = async (targetPort: () => number) => {
  const faults: (Fault | undefined)[] = [];
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  const agent = new Agent({ keepAlive: false });

  const forward = (incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method, url: path, headers } = incoming;
      const options = { host: '127.0.0.1', port: targetPort(), method, path, headers, agent };
      request(options, resolve).on('error', reject).end(body);
    });

  const handle = async (incoming: IncomingMessage, answer: ServerResponse) => {
    const { method = '', url: path = '', headers } = incoming;
    // A browser's preflight request is not one of the client's attempts, so it must not use up a fault.
    const fault = method === 'OPTIONS' ? undefined : faults.shift();
    seen.push({ method, path, idempotencyKey: headers['idempotency-key'] as string | undefined, fault });
    const body = await collect(incoming);
    if (fault === 'lose the request') return incoming.socket.destroy();
    if (typeof fault === 'object') return answer.writeHead(fault.status, fault.headers).end(fault.body);
    const response = await forward(incoming, body);
    if (fault === 'lose the answer') {
      await collect(response);
      return incoming.socket.destroy();
    }
    answer.writeHead(response.statusCode ?? 0, response.headers);
    answer.flushHeaders();
    answer.on('close', () => response.destroy());
    return response.on('error', () => answer.destroy()).pipe(answer);
  };

  const server = createServer((incoming, answer) => {
    handle(incoming, answer).catch(() => incoming.socket.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** Each request uses up one fault. When no fault is left, requests pass through. */
    faults,
    seen,
    cut,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
};
