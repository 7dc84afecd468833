import { expect, spyOn, test } from 'bun:test';
import { createCaller } from './caller.ts';

test('a test prints the cause of a 500 response, and of no other status', async () => {
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const status = Number(new URL(request.url).pathname.slice(1));
      return new Response('', { status, headers: { 'X-Request-Id': `req_${status}` } });
    },
  });
  const { get } = createCaller(
    (path) => `http://127.0.0.1:${server.port}${path}`,
    (requestId) => `TypeError of ${requestId}`,
  );
  const printed = spyOn(console, 'error').mockImplementation(() => undefined);
  for (const status of [200, 404, 500, 503]) await get(`/${status}`);
  const lines = printed.mock.calls.map(([line]) => line);
  printed.mockRestore();
  expect(lines).toEqual(['GET /500 returned 500: TypeError of req_500']);
});
