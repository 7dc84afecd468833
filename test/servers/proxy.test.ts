import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { waitFor } from '../wait-for.ts';
import { startProxy } from './proxy.ts';
import { freePort } from './server-process.ts';

const startEcho = (name: string): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(`${name}:`);
      socket.pipe(socket);
    });
    server.listen(0, '127.0.0.1', () => resolve(server));
  });

const portOf = (server: Server): number => (server.address() as { port: number }).port;

const sockets: Socket[] = [];

const open = (port: number) => {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  const received = { text: '', isClosed: false, error: '' };
  socket.on('data', (chunk) => {
    received.text += chunk;
  });
  socket.on('close', () => {
    received.isClosed = true;
  });
  socket.on('error', (error) => {
    received.error = (error as NodeJS.ErrnoException).code ?? error.message;
  });
  return Object.assign(received, {
    send: (text: string) => socket.write(text),
    end: () => socket.end(),
    hears: (text: string) => waitFor(`"${text}" is received`, () => received.text === text),
    closes: () => waitFor('the connection closes', () => received.isClosed),
  });
};

describe('the proxy', () => {
  let one: Server;
  let other: Server;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  beforeAll(async () => {
    one = await startEcho('one');
    other = await startEcho('other');
    proxy = await startProxy(portOf(one));
  });
  beforeEach(async () => {
    proxy.target(portOf(one));
    await proxy.restore();
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await proxy.stop();
    one.close();
    other.close();
  });

  test('forwards all bytes in both directions, in order, and the end of a connection', async () => {
    const caller = open(proxy.port);
    await caller.hears('one:');
    const text = 'abcdefgh'.repeat(500_000);
    caller.send(text);
    await caller.hears(`one:${text}`);
    caller.end();
    await caller.closes();
    expect(caller.error).toBe('');
  });

  test('when cut, closes open connections and refuses new ones until it is restored', async () => {
    const caller = open(proxy.port);
    await caller.hears('one:');
    await proxy.cut();
    await caller.closes();
    const refused = open(proxy.port);
    await refused.closes();
    expect(refused.error).toBe('ECONNREFUSED');
    await proxy.restore();
    await open(proxy.port).hears('one:');
  });

  test('delays all bytes once in each direction', async () => {
    const caller = open(proxy.port);
    await caller.hears('one:');
    proxy.delay(50);
    const sentAt = performance.now();
    caller.send('slow');
    await caller.hears('one:slow');
    expect(performance.now() - sentAt).toBeGreaterThanOrEqual(99);
  });

  test('as a black hole, accepts connections and bytes but forwards nothing until it is restored', async () => {
    const before = open(proxy.port);
    await before.hears('one:');
    proxy.blackHole();
    before.send('lost?');
    const during = open(proxy.port);
    during.send('me too');
    // Exchanges many bytes on another connection. If the proxy had forwarded the bytes sent earlier, they would have
    // arrived by the end of this exchange.
    const beside = open(portOf(one));
    for (let text = 'one:'; text.length < 50; text += 'x') {
      await beside.hears(text);
      beside.send('x');
    }
    expect([before.text, during.text]).toEqual(['one:', '']);
    expect([before.isClosed, during.isClosed]).toEqual([false, false]);
    await proxy.restore();
    await before.hears('one:lost?');
    await during.hears('one:me too');
  });

  test('forwards new connections to a new target, and keeps open ones', async () => {
    const old = open(proxy.port);
    await old.hears('one:');
    proxy.target(portOf(other));
    await open(proxy.port).hears('other:');
    old.send('still');
    await old.hears('one:still');
  });

  test('closes the connection when nothing listens at its target', async () => {
    proxy.target(await freePort());
    await open(proxy.port).closes();
  });
});
