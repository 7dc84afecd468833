import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '../../test/wait-for.ts';
import { Petstore, type PetstoreOptions } from '../src/index.ts';
import { failure } from './client.ts';

let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked = 0;
let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const always = (status: number, body: string, headers: Record<string, string> = {}) => {
  asked = 0;
  answer = (_, response) => response.writeHead(status, headers).end(body);
};

const create = (options: Partial<PetstoreOptions> = {}) =>
  new Petstore({
    key: 'ps_live_x',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...options,
  });

const UNEXPECTED = { name: 'PetstoreError', code: 'unexpected_answer' };
const EVENTS = { 'Content-Type': 'text/event-stream' };

const pour = (response: ServerResponse, piece: string) => {
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', write);
  write();
};

describe('a response that is not from the service is reported as such', () => {
  test.each([
    ['is empty', ''],
    ['is cut off', '{"id":1,'],
  ])('when it %s', async (_, body) => {
    always(200, body);
    expect(await failure(create().keys.me())).toMatchObject(UNEXPECTED);
    expect(asked).toBe(1);
  });

  test.each(['{}', 'null', '"pets"'])('when a list is %s', async (body) => {
    always(200, body);
    expect(await failure(create().pets.list().page())).toMatchObject(UNEXPECTED);
    expect(await failure(create().pets.list().toArray())).toMatchObject(UNEXPECTED);
  });

  test.each([301, 302, 307])('when it is a redirect, even with a JSON body: %d', async (status) => {
    always(status, '{"id":"key_1"}', { Location: '/v1/pets' });
    expect(await failure(create().keys.me())).toMatchObject({
      ...UNEXPECTED,
      message: expect.stringContaining('redirect'),
    });
    expect(asked).toBe(1);
  });

  test('when a page links to itself as the next page', async () => {
    always(200, '[]', { Link: '<http://127.0.0.1/v1/pets?cursor=a>; rel="next"' });
    expect(await failure(create().pets.list().toArray())).toMatchObject(UNEXPECTED);
    expect(asked).toBe(2);
  });

  test('when its body never ends, before it fills the memory', async () => {
    let closed = false;
    answer = (_, response) => {
      response.on('close', () => {
        closed = true;
      });
      pour(response.writeHead(200), ' '.repeat(1 << 16));
    };
    expect(await failure(create().keys.me())).toMatchObject({ ...UNEXPECTED, status: 200 });
    await waitFor('the end of the connection', () => closed);
  });
});

test('an id cannot lead to another path or query', async () => {
  let path: string | undefined;
  answer = (request, response) => {
    path = request.url;
    response.writeHead(200).end('{}');
  };
  await create().keys.get('../pets?limit=1#x');
  expect(path).toBe('/v1/keys/..%2Fpets%3Flimit%3D1%23x');
});

describe('a malformed response', () => {
  test('is still an error of its class, with a readable message and fields', async () => {
    const errors = [null, 7, { pointer: 5 }, { pointer: '#/name', detail: 'is required' }];
    always(400, JSON.stringify({ code: 'odd', message: { toString: 1, valueOf: 1 }, errors }));
    const error = await failure(create().keys.me());
    expect(error).toMatchObject({ name: 'Invalid', message: 'odd', fields: [errors[3]] });
  });

  test('does not pollute prototypes', async () => {
    const pollution = '{"__proto__":{"polluted":1},"categoryId":99999999999999999999}';
    const headers = { 'RateLimit-Policy': '"__proto__";q=1;w=1', 'X-RateLimit-Limit': '1' };
    always(200, pollution, { ...headers, 'X-RateLimit-Remaining': '1', 'X-RateLimit-Reset': '1' });
    await create().keys.me();
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(({} as { limit?: number }).limit).toBeUndefined();
  });

  test('has no limits if they cannot be read', async () => {
    always(200, '[]', { 'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '1', 'X-RateLimit-Reset': '1e30' });
    const { response } = await create().pets.list().page();
    expect(response.limits).toBeUndefined();
  });
});

describe('a stream that is not from the service', () => {
  const follow = async (options: Partial<PetstoreOptions> = {}, signal?: AbortSignal) => {
    for await (const _ of create(options).events.stream({ after: 0, signal }));
  };

  test.each([
    ['an HTML page of a proxy', 'text/html', '<h1>Welcome</h1>'],
    ['an event that is not JSON', 'text/event-stream', 'data: {\n\n'],
  ])('ends with an error: %s', async (_, type, body) => {
    always(200, body, { 'Content-Type': type });
    expect(await failure(follow())).toMatchObject(UNEXPECTED);
    expect(asked).toBe(1);
  });

  test('does not parse an event that is not among the types', async () => {
    const unwanted = 'id: 1\nevent: pet.deleted\ndata: {\n\n';
    always(200, `${unwanted}id: 2\nevent: pet.created\ndata: {"sequence":2,"type":"pet.created"}\n\n`, EVENTS);
    const seen: number[] = [];
    for await (const { sequence } of create().events.stream({ after: 0, types: ['pet.created'] })) {
      seen.push(sequence);
      break;
    }
    expect(seen).toEqual([2]);
  });

  test('yields no event of another type, even if the message does not name its type', async () => {
    const event = (sequence: number, type: string) =>
      `id: ${sequence}\ndata: {"sequence":${sequence},"type":"${type}"}\n\n`;
    always(200, event(1, 'pet.deleted') + event(2, 'pet.created'), EVENTS);
    const seen: number[] = [];
    for await (const { sequence } of create().events.stream({ after: 0, types: ['pet.created'] })) {
      seen.push(sequence);
      break;
    }
    expect(seen).toEqual([2]);
  });

  test.each(['null', '7', '"x"', '[]', 'true'])('ends with an error that names the event: data %s', async (data) => {
    always(200, `id: 7\nevent: pet.created\ndata: ${data}\n\n`, { ...EVENTS, 'X-Request-Id': 'req_1' });
    const expected = { ...UNEXPECTED, status: 200, requestId: 'req_1', sequence: 7 };
    expect(await failure(follow())).toMatchObject(expected);
  });

  test('names the event that it cannot read, so that the next stream can skip it', async () => {
    const positions: unknown[] = [];
    answer = (request, response) => {
      positions.push(request.headers['last-event-id']);
      const data = positions.length === 1 ? '{' : '{"sequence":8,"type":"pet.created"}';
      response.writeHead(200, { ...EVENTS, 'X-Request-Id': 'req_1' });
      response.end(`id: ${6 + positions.length}\nevent: pet.created\ndata: ${data}\n\n`);
    };
    const error = await failure(follow());
    expect(error).toMatchObject({ ...UNEXPECTED, status: 200, requestId: 'req_1', sequence: 7 });
    for await (const event of create().events.stream({ after: error.sequence })) {
      expect(event.sequence).toBe(8);
      break;
    }
    expect(positions).toEqual(['0', '7']);
  });

  test('ends with an error when a message never ends, before it fills the memory', async () => {
    answer = (_, response) => pour(response.writeHead(200, EVENTS), 'x'.repeat(1 << 16));
    expect(await failure(follow())).toMatchObject(UNEXPECTED);
  });

  const LONGEST_TIMER_MS = 2 ** 31 - 1;
  test.each<[number, Record<string, string>, string]>([
    [429, { 'Retry-After': '999999999' }, '{"code":"rate_limit_exceeded"}'],
    [200, EVENTS, 'retry: 99999999999999\n\n'],
  ])('whose %d sets an extreme delay is not retried immediately', async (status, headers, body) => {
    always(status, body, headers);
    const controller = new AbortController();
    const timer = spyOn(globalThis, 'setTimeout');
    const longest = () => Math.max(...timer.mock.calls.map(([, ms]) => ms ?? 0));
    try {
      const followed = follow({}, controller.signal);
      await waitFor('the wait', () => longest() >= LONGEST_TIMER_MS);
      expect(longest()).toBe(LONGEST_TIMER_MS);
      controller.abort();
      await followed;
    } finally {
      timer.mockRestore();
    }
  });

  test('sets the delay before the next connection, at least a second, but not before later ones', async () => {
    const bodies = ['retry: 60000\n\n', ': hello\n\n', 'retry: 0\n\n'];
    const waits: number[] = [];
    const controller = new AbortController();
    answer = (_, response) => response.writeHead(200, EVENTS).end(bodies.shift());
    const sleep = async (ms: number) => {
      waits.push(ms);
      if (bodies.length === 0) controller.abort();
    };
    await follow({ runtime: { sleep, random: () => 0.5 } }, controller.signal);
    expect(waits).toEqual([64_000, 1500, 1500]);
  });
});

describe('a hook that throws', () => {
  test('affects no call, retry or stream, and its error is reported', async () => {
    const heard: string[] = [];
    const fail = (what: string) => () => {
      throw new Error(what);
    };
    const client = create({
      onRequest: fail('request'),
      onResponse: fail('response'),
      onRetry: async () => fail('retry')(),
      runtime: { sleep: async () => undefined, report: (error) => heard.push((error as Error).message) },
    });
    const answers = [503, 200];
    answer = (_, response) => response.writeHead(answers.shift() ?? 500).end('{"code":"unavailable","id":"key_1"}');
    expect(await client.keys.me()).toMatchObject({ id: 'key_1' });
    always(200, 'data: {"sequence":1}\n\n', EVENTS);
    for await (const event of client.events.stream({ after: 0 })) {
      expect(event.sequence).toBe(1);
      break;
    }
    expect(heard.sort()).toEqual(['request', 'request', 'request', 'response', 'response', 'response', 'retry']);
  });
});
