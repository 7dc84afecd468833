import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { freePort } from '../../test/servers/server-process.ts';
import { waitFor } from '../../test/wait-for.ts';
import { createSemaphore, createSend } from './send.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const PATIENT = { allowPrivate: true, startMs: 3_600_000, timeoutMs: 3_600_000 };
const send = createSend({ ...PATIENT, clock: () => NOW });
const message = { headers: { 'Content-Type': 'application/json', 'webhook-id': 'evt_1' }, body: '{"name":"Zoë 🐕"}' };

const NO_ADDRESS = 'not reached: the host name does not resolve to an address that webhooks may call';

const servers: { stop(force: boolean): unknown }[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop(true))));

const receive = (answer: (request: Request) => Response | Promise<Response>): string => {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer });
  servers.push(server);
  return `http://127.0.0.1:${server.port}/hooks?a=b%20c`;
};

const receiveRaw = (answer: string): string => {
  const socket = { data: (to: { end(text: string): unknown }) => void to.end(answer) };
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket });
  servers.push(server);
  return `http://127.0.0.1:${server.port}/`;
};

const sendTo = (url: string) => send({ ...message, url });

describe('a webhook request', () => {
  test('is a POST of exactly these bytes, with these headers and the host name as given', async () => {
    const { promise, resolve } = Promise.withResolvers<{ request: Request; bytes: ArrayBuffer }>();
    const url = receive(async (request) => {
      resolve({ request, bytes: await request.arrayBuffer() });
      return new Response();
    });
    const byName = createSend({ ...PATIENT, resolve: async () => ['127.0.0.1'] });
    await byName({ ...message, url: url.replace('127.0.0.1', 'hooks.example.test') });
    const { request, bytes } = await promise;
    expect(request.method).toBe('POST');
    expect(Buffer.from(bytes).toString()).toBe(message.body);
    expect(request.headers.get('host')).toBe(`hooks.example.test:${new URL(url).port}`);
    expect(request.headers.get('content-type')).toBe('application/json');
    expect(request.headers.get('webhook-id')).toBe('evt_1');
    expect(request.headers.get('accept-encoding')).toBe('identity');
    expect(request.headers.get('connection')).toBe('close');
    expect(new URL(request.url).search).toBe('?a=b%20c');
  });

  test('uses its own connection, even if the receiver would keep one open', async () => {
    let connections = 0;
    const open = () => {
      connections += 1;
    };
    const data = (to: { write(text: string): unknown }) =>
      void to.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { open, data } });
    servers.push(server);
    for (let sent = 0; sent < 3; sent += 1) await sendTo(`http://127.0.0.1:${server.port}/`);
    expect(connections).toBe(3);
  });

  test('resolves names as the machine does, if private addresses are allowed', async () => {
    const url = receive(() => new Response('here'));
    expect((await sendTo(url.replace('127.0.0.1', 'localhost'))).responseBody).toBe('here');
  });

  test('goes to the checked address, and ignores proxies in the environment', async () => {
    const script = `const { createSend } = await import(process.argv[1]);
      const { responseStatus } = await createSend({ allowPrivate: true, timeoutMs: 3_600_000 })({ ...JSON.parse(process.argv[2]) });
      console.log(responseStatus)`;
    const url = receive(() => new Response(null, { status: 204 }));
    const asked = Bun.spawn(
      [process.execPath, '-e', script, join(import.meta.dir, 'send.ts'), JSON.stringify({ ...message, url })],
      {
        env: {
          ...process.env,
          HTTP_PROXY: 'http://127.0.0.1:1',
          http_proxy: 'http://127.0.0.1:1',
          NO_PROXY: '',
          no_proxy: '',
        },
      },
    );
    expect((await new Response(asked.stdout).text()).trim()).toBe('204');
  });
});

describe('the result of an attempt', () => {
  test('has a duration', async () => {
    const startedAt = performance.now();
    const { durationMs } = await sendTo(receive(() => new Response()));
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(durationMs).toBeLessThanOrEqual(Math.ceil(performance.now() - startedAt));
  });

  test.each([200, 201, 202, 204, 299])('is delivered when the receiver answers %i', async (status) => {
    const outcome = await sendTo(receive(() => new Response(status === 204 ? null : 'thanks', { status })));
    expect(outcome).toEqual({
      isDelivered: true,
      isGone: false,
      responseStatus: status,
      responseBody: status === 204 ? '' : 'thanks',
      durationMs: expect.any(Number),
      retryAfterMs: undefined,
    });
    expect(outcome.durationMs).toBeInteger();
  });

  test.each([400, 401, 404, 429, 500, 503])('is failed when the receiver answers %i', async (status) => {
    const outcome = await sendTo(receive(() => new Response('no', { status })));
    expect(outcome).toMatchObject({ isDelivered: false, isGone: false, responseStatus: status, responseBody: 'no' });
  });

  test('is gone only when the receiver answers 410', async () => {
    const outcome = await sendTo(receive(() => new Response('', { status: 410 })));
    expect(outcome).toMatchObject({ isDelivered: false, isGone: true, responseStatus: 410 });
  });

  test.each([301, 302, 303, 307, 308])('is failed on %i, and the redirect is not followed', async (status) => {
    let calls = 0;
    const elsewhere = receive(() => {
      calls += 1;
      return new Response();
    });
    const outcome = await sendTo(receive(() => new Response('', { status, headers: { Location: elsewhere } })));
    expect(outcome).toMatchObject({ isDelivered: false, isGone: false, responseStatus: status });
    expect(calls).toBe(0);
  });

  test('contains the first 1 KiB of the answer', async () => {
    const { responseBody } = await sendTo(receive(() => new Response('x'.repeat(1023) + 'y'.repeat(5000))));
    expect(responseBody).toBe(`${'x'.repeat(1023)}y`);
    const parts = async function* () {
      yield 'x'.repeat(1023);
      await new Promise(setImmediate);
      yield 'yz';
    };
    expect((await sendTo(receive(() => new Response(parts() as never)))).responseBody).toBe(responseBody);
  });

  test('contains no partial or invalid characters, and no U+0000', async () => {
    expect((await sendTo(receive(() => new Response(`${'x'.repeat(1023)}ë`)))).responseBody).toBe('x'.repeat(1023));
    const odd = new Uint8Array([0x61, 0x00, 0xff, 0x62]);
    expect((await sendTo(receive(() => new Response(odd)))).responseBody).toBe('a\uFFFD\uFFFDb');
  });

  test('contains a compressed answer as it is, because it could be far larger unpacked', async () => {
    const packed = Bun.gzipSync(new Uint8Array(100_000).fill(0x61));
    const url = receive(() => new Response(packed, { headers: { 'Content-Encoding': 'gzip' } }));
    expect((await sendTo(url)).responseBody).not.toContain('aaaa');
  });

  const chunk = new Uint8Array(512).fill(0x78);
  const endless: [string, () => ReadableStream][] = [
    ['never ends', () => new ReadableStream({ pull: (controller) => controller.enqueue(chunk) })],
    [
      'stops after that and stays open',
      () => new ReadableStream({ start: (controller) => controller.enqueue(Buffer.concat([chunk, chunk])) }),
    ],
  ];
  test.each(endless)('contains the first 1 KiB when the answer %s, and the connection is closed', async (_, body) => {
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const url = receive((request) => {
      request.signal.addEventListener('abort', () => close());
      return new Response(body());
    });
    const outcome = await sendTo(url);
    expect(outcome).toMatchObject({ isDelivered: true, responseStatus: 200, responseBody: 'x'.repeat(1024) });
    await closed;
  });

  test('depends on the status when the body ends early', async () => {
    const outcome = await sendTo(receiveRaw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this'));
    expect(outcome).toMatchObject({ isDelivered: true, responseStatus: 200 });
    expect(['', 'only this']).toContain(outcome.responseBody as string);
  });
});

describe('Retry-After', () => {
  const asked: [string, number | undefined][] = [
    ['120', 120_000],
    ['0', 0],
    ['Fri, 20 Nov 2026 12:01:30 GMT', 90_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['99999999999999', 99_999_999_999_999_000],
  ];
  test.each(asked)('%p is a wait of %p ms', async (header, wait) => {
    const url = receive(() => new Response('', { status: 503, headers: { 'Retry-After': header } }));
    expect((await sendTo(url)).retryAfterMs).toBe(wait);
  });
});

describe('an attempt without an answer', () => {
  const nothing = { isDelivered: false, isGone: false, responseStatus: null, retryAfterMs: undefined };

  test('reports that the connection was refused', async () => {
    const outcome = await sendTo(`http://127.0.0.1:${await freePort()}/`);
    expect(outcome).toMatchObject({ ...nothing, responseBody: 'not reached: ECONNREFUSED' });
  });

  test('reports that the connection was closed', async () => {
    const outcome = await sendTo(receiveRaw(''));
    expect(outcome).toMatchObject({ ...nothing, responseBody: 'not reached: ECONNRESET' });
  });

  test('fails when the receiver does not speak HTTP', async () => {
    expect(await sendTo(receiveRaw('220 mail.example.org ESMTP\r\n'))).toMatchObject(nothing);
  });

  test('ends at its timeout, even while the name is looked up', async () => {
    const { promise: never } = Promise.withResolvers<never>();
    const url = receive(() => never);
    const late = { ...nothing, responseBody: 'no response within 0.05 seconds' };
    expect(await createSend({ allowPrivate: true, timeoutMs: 50 })({ ...message, url })).toMatchObject(late);
    const lost = createSend({ allowPrivate: true, timeoutMs: 50, resolve: () => never });
    expect(await lost({ ...message, url: 'http://hooks.example.test/' })).toMatchObject(late);
  });

  test('ends at its timeout while the body trickles in, and its result depends on the status', async () => {
    const url = receive(() => {
      const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('a little')) });
      return new Response(body, { status: 500 });
    });
    let timeoutMs = 100;
    const outcome = await waitFor(
      'the status arrives before the timeout',
      () => {
        timeoutMs *= 2;
        return createSend({ allowPrivate: true, timeoutMs })({ ...message, url });
      },
      ({ responseBody }) => responseBody === 'a little',
    );
    expect(outcome).toMatchObject({ isDelivered: false, responseStatus: 500 });
  });

  test('gives the same message for a name without an address, one that cannot be looked up, and one with a private address', async () => {
    const failing = async () => {
      throw Object.assign(new Error('query to 10.0.0.53 failed'), { code: 'ENOTFOUND' });
    };
    const answers: (() => Promise<string[]>)[] = [
      async () => [],
      failing,
      async () => ['10.0.0.1'],
      async () => ['::1'],
    ];
    for (const resolve of answers) {
      const outcome = await createSend({ allowPrivate: false, resolve })({
        ...message,
        url: 'https://hooks.example.test/',
      });
      expect(outcome).toMatchObject({ ...nothing, responseBody: NO_ADDRESS });
    }
  });

  test.each(['intranet', 'intranet.', 'printer.local', 'localhost', '10.0.0.1'])(
    'does not look up %s, even if it is stored, and gives the same message',
    async (host) => {
      let lookups = 0;
      const resolve = async () => {
        lookups += 1;
        return ['8.8.8.8'];
      };
      const outcome = await createSend({ allowPrivate: false, resolve })({ ...message, url: `https://${host}/` });
      expect(outcome).toMatchObject({ ...nothing, responseBody: NO_ADDRESS });
      expect(lookups).toBe(0);
    },
  );

  test.each([
    ['the fourth', ['127.0.0.9', '127.0.0.9', '127.0.0.9', '127.0.0.1'], 'here'],
    ['not the fifth', ['127.0.0.9', '127.0.0.9', '127.0.0.9', '127.0.0.9', '127.0.0.1'], 'not reached: ECONNREFUSED'],
    ['IPv4 before IPv6', ['::1', '::1', '::1', '::1', '127.0.0.1'], 'here'],
  ])('tries at most four addresses of a name: %s', async (_, addresses, expected) => {
    const url = new URL(receive(() => new Response('here')));
    url.hostname = 'hooks.example.test';
    const send = createSend({ ...PATIENT, resolve: async () => addresses });
    expect((await send({ ...message, url: url.href })).responseBody).toBe(expected);
  });

  test('uses IPv6 addresses too', async () => {
    const send = createSend({ ...PATIENT, resolve: async () => ['::1'] });
    const { responseBody } = await send({ ...message, url: `http://hooks.example.test:${await freePort()}/` });
    expect(responseBody).toStartWith('not reached: E');
  });

  test('uses the next address of a name when the first refuses the connection', async () => {
    const url = new URL(receive(() => new Response('here')));
    const send = createSend({ ...PATIENT, resolve: async () => ['::1', '127.0.0.9', '127.0.0.1'] });
    url.hostname = 'hooks.example.test';
    expect((await send({ ...message, url: url.href })).responseBody).toBe('here');
  });
});

test('a semaphore runs a limited number of tasks at a time, in order of arrival, whether they fail or not', async () => {
  const inPlace = createSemaphore(2);
  const ran: number[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const ended = [0, 1, 2, 3].map((number) => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return inPlace(() => {
      ran.push(number);
      return end.promise;
    }).catch(() => 'failed');
  });
  expect(ran).toEqual([0, 1]);
  ends[1]?.reject(new Error('on purpose'));
  expect(await ended[1]).toBe('failed');
  expect(ran).toEqual([0, 1, 2]);
  for (const end of ends) end.resolve();
  await Promise.all(ended);
  expect(ran).toEqual([0, 1, 2, 3]);
  await inPlace(async () => ran.push(4));
  expect(ran).toEqual([0, 1, 2, 3, 4]);
  for (const number of [5, 6, 7]) void inPlace(() => new Promise(() => ran.push(number)));
  expect(ran).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
