import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import { waitFor } from '../../test/wait-for.ts';
import { endUnacknowledged } from './user-timeout.ts';

const AFTER_MS = 200;
const HUGE = new Uint8Array(32 * 1024 * 1024);

test.if(process.platform === 'linux')('the system ends a connection whose peer acknowledges nothing', async () => {
  let isEnded = false;
  const body = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(HUGE),
      cancel: () => {
        isEnded = true;
      },
    });
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: () => new Response(body()) });
  const port = server.port as number;
  expect(endUnacknowledged(port, AFTER_MS)).toBeTrue();

  const socket = connect(port, '127.0.0.1');
  try {
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    await waitFor('the stream ends', () => isEnded);
  } finally {
    socket.destroy();
    await server.stop(true);
  }
});

test('a port of another process is not changed', () => {
  expect(endUnacknowledged(1, AFTER_MS)).toBeFalse();
});
