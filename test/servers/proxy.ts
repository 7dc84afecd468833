import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './server-process.ts';

/**
 * Maximum number of bytes that the proxy holds back per connection and direction. At this limit, the proxy stops
 * reading.
 */
const MAX_HELD_BYTES = 1024 * 1024;

export const startProxy = async (targetPort: number) => {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let aim = targetPort;
  let delayMs = 0;
  let gate = Promise.resolve();
  let isShut = false;
  let openGate = () => {};

  const pass = (from: Socket, to: Socket) => {
    let last: Promise<unknown> = Promise.resolve();
    let heldBytes = 0;
    const inTurn = (act: () => void) => {
      const due = delayMs > 0 ? Bun.sleep(delayMs) : undefined;
      last = last
        .then(() => due)
        .then(() => gate)
        .then(act);
    };
    from.on('data', (chunk) => {
      heldBytes += chunk.length;
      if (heldBytes > MAX_HELD_BYTES) from.pause();
      inTurn(() =>
        to.write(chunk, () => {
          heldBytes -= chunk.length;
          if (heldBytes <= MAX_HELD_BYTES) from.resume();
        }),
      );
    });
    from.on('end', () => inTurn(() => to.end()));
    from.on('close', () => inTurn(() => to.destroy()));
    from.on('error', () => undefined);
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: aim, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => sockets.delete(socket));
    }
    pass(client, upstream);
    pass(upstream, client);
  });
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen();

  const restore = async () => {
    delayMs = 0;
    openGate();
    if (!server.listening) await listen();
  };
  const cut = async () => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };

  return {
    port,
    cut,
    restore,
    delay(ms: number) {
      delayMs = ms;
    },
    blackHole() {
      if (isShut) return;
      isShut = true;
      gate = new Promise((resolve) => {
        openGate = () => {
          isShut = false;
          resolve();
        };
      });
    },
    target(newPort: number) {
      aim = newPort;
    },
    async stop() {
      openGate();
      await cut();
    },
  };
};
