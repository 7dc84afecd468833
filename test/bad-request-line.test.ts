import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { FAILURES, type FailureCode } from '../src/kernel/failure.ts';
import { expectError, expectSharedHeaders } from './expect-answer.ts';
import { askOnce, bytesOf } from './raw-http.ts';
import { ADMIN_KEY, type Service, startService } from './service.ts';
import { countStoredRows } from './stored-rows.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
});
afterAll(() => service.stop());

const KEY = `Authorization: Bearer ${ADMIN_KEY}\r\n`;
const ask = (start: string | Uint8Array, headers = `Host: localhost\r\n${KEY}`) =>
  askOnce(service.port, bytesOf(start, ` HTTP/1.1\r\n${headers}\r\n`));

describe('an unknown target below /v1', () => {
  const targets: [string, FailureCode][] = [
    ['/v1', 'route_not_found'],
    ['/v1/', 'route_not_found'],
    ['/v1//pets', 'route_not_found'],
    ['/v1/Pets', 'route_not_found'],
    ['/v1/pets/', 'route_not_found'],
    ['/v1/pets/1/', 'route_not_found'],
    ['/v1/pets//1', 'route_not_found'],
    ['/v1/pets;v=1', 'route_not_found'],
    ['/v1/./pets', 'route_not_found'],
    ['/v1/x/../pets', 'route_not_found'],
    ['/v1/pets/../pets', 'route_not_found'],
    ['/v1/%2e%2e/v1/pets', 'route_not_found'],
    ['/v1/pets#fragment', 'route_not_found'],
    ['/v1/pets%2F1', 'route_not_found'],
    ['/v1/pets%00', 'route_not_found'],
    ['/v1/é', 'route_not_found'],
    ['/v1/pets/..', 'not_found'],
    ['/v1/pets/1%2F', 'not_found'],
    ['/v1/pets/1%2f..', 'not_found'],
    ['/v1/pets/%00', 'not_found'],
    ['/v1/pets/1%00', 'not_found'],
    ['/v1/pets/%ff', 'not_found'],
    ['/v1/pets/%', 'not_found'],
    ['/v1/pets/%zz', 'not_found'],
    ['/v1/pets/1#fragment', 'not_found'],
    ['/v1/pets/é', 'not_found'],
    ['/v1/pets/９', 'not_found'],
    ['/v1/pets/__proto__', 'not_found'],
  ];
  test.each(targets)('is not found: %s', async (target, code) => {
    const answer = await ask(`GET ${target}`);
    expectError(answer, code, 404);
    expectSharedHeaders(answer);
    expectError(await ask(`GET ${target}`, 'Host: localhost\r\n'), 'missing_api_key', 401);
  });

  test('is not found when it is 10,000 characters long, and the message truncates it', async () => {
    for (const [target, code] of [
      [`/v1/${'x'.repeat(10_000)}`, 'route_not_found'],
      [`/v1/pets/${'9'.repeat(10_000)}`, 'not_found'],
    ] as const) {
      const answer = await ask(`GET ${target}`);
      expectError(answer, code, 404);
      expect(answer.body.message.length).toBeLessThanOrEqual(6000);
    }
  });

  test('is not found when it is not valid UTF-8', async () => {
    expectError(await ask(bytesOf('GET /v1/pets/', Uint8Array.of(0xff, 0xfe))), 'not_found', 404);
    expectError(await ask(bytesOf('GET /v1/', Uint8Array.of(0xff, 0xfe))), 'route_not_found', 404);
  });
});

describe('an unknown target outside /v1', () => {
  const targets = ['/V1/pets', '//v1/pets', '/%761/pets', '/v1x/pets', '/v2/pets', '/nothing', '/healthz/', '/docs/x'];
  test.each(targets)('is not found, even without a key: %s', async (target) => {
    const answer = await ask(`GET ${target}`, 'Host: localhost\r\n');
    expectError(answer, 'route_not_found', 404);
    expect(answer.headers.has('x-ratelimit-limit')).toBeFalse();
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  });

  test('cannot traverse into or out of the API', async () => {
    for (const target of [
      '/x/../v1/pets',
      '/v1/../healthz',
      '/docs/../v1/pets',
      '/../../etc/passwd',
      '/docs/%2e%2e/x',
    ]) {
      expect((await ask(`GET ${target}`)).status).toBe(404);
    }
  });
});

describe('a target in another form', () => {
  test('is served when it is absolute, as RFC 9112 section 3.2.2 requires', async () => {
    const answer = await ask('GET http://elsewhere.example/v1/pets?limit=1');
    expect([answer.status, answer.body.length]).toEqual([200, 1]);
    expectError(await ask('GET http://elsewhere.example/v1/pets?limit=0'), 'invalid_parameter', 400);
    expectError(await ask('GET http://elsewhere.example/v1/nothing'), 'route_not_found', 404);
    expectError(await ask('GET http://elsewhere.example/v1/pets', 'Host: a\r\n'), 'missing_api_key', 401);
  });

  test('loses a fragment after its query', async () => {
    expect((await ask('GET /v1/pets?limit=1#&limit=0')).status).toBe(200);
  });

  test('is refused with a readable message when it is an authority', async () => {
    const { status, body } = await ask('CONNECT elsewhere.example:443');
    expect([404, 405]).toContain(status);
    expect(body.message).toContain('elsewhere.example');
  });
});

describe('a method that the path does not support', () => {
  const methods = ['PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT', 'PROPFIND', 'PURGE', 'LOCK', 'QUERY', 'M-SEARCH'];
  test.each(methods)('is refused with the allowed methods: %s', async (method) => {
    const answer = await ask(`${method} /v1/pets`);
    expectError(answer, 'method_not_allowed', 405);
    expectSharedHeaders(answer);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect(answer.text).not.toContain(ADMIN_KEY);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])('is refused by a page outside /v1: %s', async (method) => {
    const answer = await ask(`${method} /healthz`);
    expectError(answer, 'method_not_allowed', 405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('the Host header', () => {
  const twice = [
    'Host: a\r\nHost: b\r\n',
    'Host: a\r\nHost: a\r\n',
    'Host: a\r\nhost: b\r\nHOST: c\r\n',
    'Host: a, b\r\n',
  ];
  test.each(twice)('is refused with several values: %j', async (hosts) => {
    const rows = await countStoredRows(service);
    for (const start of [
      'GET /v1/pets',
      'GET /v1/nothing',
      'DELETE /v1/pets',
      'OPTIONS /v1/pets',
      'GET /healthz',
      'GET /x',
    ]) {
      expectError(await ask(start, `${hosts}${KEY}`), 'invalid_request', FAILURES.invalid_request.status);
    }
    const body = '{"name":"a","categoryId":1}';
    const headers = `${hosts}${KEY}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const answer = await askOnce(service.port, `POST /v1/pets HTTP/1.1\r\n${headers}\r\n${body}`);
    expectError(answer, 'invalid_request', 400);
    expect(await countStoredRows(service)).toEqual(rows);
  });

  const links = async (host: string | Uint8Array) => {
    const body = '{"name":"a","categoryId":1}';
    const head = bytesOf('Host: ', host, `\r\n${KEY}`);
    const list = await askOnce(service.port, bytesOf('GET /v1/pets?limit=1 HTTP/1.1\r\n', head, '\r\n'));
    const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const post = await askOnce(service.port, bytesOf('POST /v1/pets HTTP/1.1\r\n', head, `${type}\r\n${body}`));
    return { link: list.headers.get('link'), location: post.headers.get('location'), id: post.body.id };
  };

  const strange = [
    ...[
      '',
      'a b',
      'a/b',
      'a?b',
      'a#b',
      'a\\b',
      'user@a',
      'a>b',
      'a"b',
      'a;b',
      'a:b',
      'a:1:2',
      'a:',
      '[::1',
      'é',
      '%0d%0a',
    ],
    ...['x/v1/pets?limit=0&y=', 'x#', 'http://a', '<script>', '>;rel=next;<'],
  ];
  test.each(strange)(
    'makes links relative and changes nothing else when it is not a valid host: "%s"',
    async (host) => {
      const { link, location, id } = await links(host);
      expect(link).toMatch(/^<\/v1\/pets\?limit=1(&cursor=[\w-]+>; rel="next", <\/v1\/pets\?limit=1)?>; rel="first"$/);
      expect(location).toBe(`/v1/pets/${id}`);
      const unknown = await ask('GET /v1/nothing?limit=0', `Host: ${host}\r\n${KEY}`);
      expectError(unknown, 'route_not_found', 404);
      expect(unknown.body.message).toContain('/v1/nothing');
      expectError(await ask('GET /v1/pets?limit=0', `Host: ${host}\r\n${KEY}`), 'invalid_parameter', 400);
      expectError(await ask('GET /v1/nothing', `Host: ${host}\r\n`), 'missing_api_key', 401);
      expect((await ask('GET /openapi.json', `Host: ${host}\r\n`)).body.servers[0]).toMatchObject({ url: '/v1' });
    },
  );

  test.each(['example.com', 'EXAMPLE.com:8080', '127.0.0.1:80', '[::1]:8080', 'a_b.example'])(
    'is the base of links: %s',
    async (host) => {
      const { link, location, id } = await links(host);
      expect(link).toContain(`<http://${host}/v1/pets?limit=1>; rel="first"`);
      expect(location).toBe(`http://${host}/v1/pets/${id}`);
    },
  );

  test('may be missing in HTTP/1.0', async () => {
    const list = await askOnce(service.port, `GET /v1/pets?limit=100 HTTP/1.0\r\n${KEY}\r\n`);
    expect([list.status, list.headers.get('link')]).toEqual([200, '</v1/pets?limit=100>; rel="first"']);
    const refused = await askOnce(service.port, `GET /v1/pets?limit=0 HTTP/1.0\r\n${KEY}\r\n`);
    expectError(refused, 'invalid_parameter', 400);
    expectError(await askOnce(service.port, 'GET /v1/nothing HTTP/1.0\r\n\r\n'), 'missing_api_key', 401);
  });
});

describe('a header that the service ignores', () => {
  const headers = [
    ...[
      '0:0:0::0:0.0.0.0',
      '1:2:3::4:1.2.3.4',
      '::',
      'fe80::1%eth0',
      'unknown',
      ',',
      '[::1]:80',
      '1.2.3.4, '.repeat(500),
    ].map((value) => `X-Forwarded-For: ${value}`),
    ...[
      'X-Forwarded-Host: elsewhere.example',
      'X-Forwarded-Proto: gopher',
      'Forwarded: for=""',
      'X-HTTP-Method-Override: DELETE',
    ],
    ...[
      'If-None-Match: "',
      'If-None-Match: ,,,',
      'If-Match: *',
      'Range: bytes=0-1',
      'Accept: text/html',
      'Accept-Encoding: br',
    ],
    ...[
      'X-Request-Id: \t',
      `X-Request-Id: ${'x'.repeat(5_000)}`,
      'Cookie: a=b',
      'Upgrade: websocket',
      'Expect: nonsense',
    ],
    ...['Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c', 'TE: trailers', 'Idempotency-Key: x'],
  ];
  test.each(headers.map((header) => [header.slice(0, 60), header]))('changes nothing: %s', async (_, header) => {
    const usual = await ask('GET /v1/pets?limit=1');
    const answer = await ask('GET /v1/pets?limit=1', `Host: localhost\r\n${KEY}${header}\r\n`);
    expect([answer.status, answer.text]).toEqual([200, usual.text]);
    expectSharedHeaders(answer);
    expect(answer.headers.get('link')).toBe(usual.headers.get('link'));
  });
});

describe('a request that the HTTP parser rejects', () => {
  const good = '{"name":"a","categoryId":1}';
  const post = (headers: string, body = good) => `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${KEY}${headers}\r\n${body}`;
  const JSON_TYPE = 'Content-Type: application/json\r\n';
  const requests: [string, string][] = [
    ['no Host in HTTP/1.1', `GET /v1/pets HTTP/1.1\r\n${KEY}\r\n`],
    ['an unknown method', `BREW /v1/pets HTTP/1.1\r\nHost: a\r\n${KEY}\r\n`],
    ['a method in lower case', `get /v1/pets HTTP/1.1\r\nHost: a\r\n${KEY}\r\n`],
    ['a target without a slash', `GET v1/pets HTTP/1.1\r\nHost: a\r\n${KEY}\r\n`],
    ['a NUL in a header', `GET /v1/pets HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n${KEY}\r\n`],
    ['a header of 100,000 characters', `GET /v1/pets HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(100_000)}\r\n${KEY}\r\n`],
    ['a query of 100,000 characters', `GET /v1/pets?x=${'y'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n${KEY}\r\n`],
    ['two Content-Length headers', post(`${JSON_TYPE}Content-Length: 27\r\nContent-Length: 3\r\n`)],
    ['both a length and chunks', post(`${JSON_TYPE}Content-Length: 27\r\nTransfer-Encoding: chunked\r\n`, '0\r\n\r\n')],
    ['a negative length', post(`${JSON_TYPE}Content-Length: -1\r\n`)],
    ['a length that is not a number', post(`${JSON_TYPE}Content-Length: 2x\r\n`)],
    ['a chunk size that is not a number', post(`${JSON_TYPE}Transfer-Encoding: chunked\r\n`, 'zz\r\n{}\r\n0\r\n\r\n')],
    ['a length above the limit of 16 MiB', post(`${JSON_TYPE}Content-Length: 17000000\r\n`)],
    ['bytes that are not HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ];
  test.each(requests)(
    'loses its connection or is refused without a body, stores nothing, and the service keeps serving: %s',
    async (_, request) => {
      const rows = await countStoredRows(service);
      const outcome = await askOnce(service.port, request).catch((error: Error) => error);
      if (outcome instanceof Error) expect(outcome.message).toBe('closed without a response: ""');
      else expect([[400, 413, 431].includes(outcome.status), outcome.text]).toEqual([true, '']);
      expect(await countStoredRows(service)).toEqual(rows);
      expect((await service.get('/v1/pets?limit=1')).status).toBe(200);
    },
  );
});
