import { expect, test } from 'bun:test';
import { listen } from './server.ts';

test('a request that arrives before the service is open waits until then, and is served', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const order: string[] = [];
  const fallback = () => {
    order.push('answered');
    return new Response('here');
  };
  const app = { routes: new Map(), fallback, crashed: () => new Response('', { status: 500 }) };
  const server = listen(app, { host: '127.0.0.1', port: 0 }, opened);
  const ask = () => fetch(`http://127.0.0.1:${server.port}/`).then((response) => response.text());
  const early = ask();
  const other = listen(app, { host: '127.0.0.1', port: 0 });
  for (let times = 0; times < 20; times += 1) await fetch(`http://127.0.0.1:${other.port}/`);
  expect(order).toHaveLength(20);
  open();
  expect([await early, await ask()]).toEqual(['here', 'here']);
  expect(order).toHaveLength(22);
  await Promise.all([server.stop(0), other.stop(0)]);
});
