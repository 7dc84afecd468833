import { createServer, type Socket } from 'node:net';
import { freePort } from '../test/servers/server-process.ts';
import { endsConnection, type Line, openLine, readMessage, requestText, statusOf } from './fleet-load.ts';

const CHECK_EVERY_MS = 100;

type Target = { port: number; isReady: boolean; checkedAt: number; idle: Line[] };

const newTarget = (port: number, isReady: boolean): Target => ({
  port,
  isReady,
  checkedAt: performance.now(),
  idle: [],
});

const BAD_GATEWAY = Buffer.from('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');

/**
 * Retries a request on another instance only if no connection could be opened. Otherwise, the first instance may
 * already have carried out the request.
 */
export const startBalancer = async (ports: readonly number[]) => {
  const targets: Target[] = ports.map((port) => newTarget(port, true));
  let turn = 0;

  const check = async (target: Target): Promise<void> => {
    const line = await openLine(target.port).catch(() => undefined);
    const answer = await line?.ask(requestText('GET', '/readyz', { key: '' })).catch(() => undefined);
    target.isReady = answer !== undefined && statusOf(answer) === 200;
    target.checkedAt = performance.now();
    line?.close();
  };
  const checking = setInterval(() => targets.forEach(check), CHECK_EVERY_MS);

  const lineTo = async (target: Target): Promise<Line | undefined> => {
    for (let line = target.idle.pop(); line; line = target.idle.pop()) if (line.isOpen()) return line;
    return openLine(target.port).catch(() => undefined);
  };

  const forward = async (request: Buffer): Promise<Buffer> => {
    for (let tried = 0; tried < targets.length; tried += 1) {
      const ready = targets.filter(({ isReady }) => isReady);
      const target = ready[turn++ % ready.length];
      const line = target && (await lineTo(target));
      if (!line) continue;
      const answer = await line.ask(request).catch(() => undefined);
      if (!answer) return BAD_GATEWAY;
      if (line.isOpen()) target.idle.push(line);
      // If an instance closes the connection after a response, the instance is about to stop. On an overloaded machine,
      // the readiness check may be late, so such a response already marks the instance as not ready.
      const isOverdue = performance.now() - target.checkedAt > 2 * CHECK_EVERY_MS;
      if (isOverdue && endsConnection(answer)) target.isReady = false;
      const head = answer.head.replace(/\r\nconnection: *close/i, '');
      return Buffer.from(`${head}\r\n\r\n${answer.body}`);
    }
    return BAD_GATEWAY;
  };

  const clients = new Set<Socket>();
  const server = createServer((client) => {
    let received = Buffer.alloc(0);
    clients.add(client);
    client.setNoDelay(true);
    client.on('error', () => undefined);
    client.on('close', () => clients.delete(client));
    client.on('data', async (chunk) => {
      received = Buffer.concat([received, chunk]);
      const request = readMessage(received);
      if (!request) return;
      received = received.subarray(request.bytes.length);
      client.write(await forward(request.bytes));
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  return {
    port,
    add: (added: number) => targets.push(newTarget(added, false)),
    isReady: (asked: number) => targets.some((target) => target.port === asked && target.isReady),
    async stop() {
      clearInterval(checking);
      for (const { idle } of targets) for (const line of idle) line.close();
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
