import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { EVENT_TYPES } from '../src/kernel/event.ts';
import { FAILURES, type FailureCode } from '../src/kernel/failure.ts';
import { expectError, expectSharedHeaders } from './expect-answer.ts';
import { askOnce, bytesOf, openConnection } from './raw-http.ts';
import { ADMIN_KEY, type Service, startService } from './service.ts';
import { countStoredRows } from './stored-rows.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
});
afterAll(() => service.stop());

const stock = async () => ({
  rows: await countStoredRows(service),
  inventory: (await service.get('/v1/store/inventory')).body,
});

const HEAD = `Host: localhost\r\nAuthorization: Bearer ${ADMIN_KEY}\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';

const post = (body: string | Uint8Array, headers = JSON_TYPE, path = '/v1/pets') =>
  bytesOf(`POST ${path} HTTP/1.1\r\n${HEAD}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`, body);

const expectRefused = async (request: string | Uint8Array, ...codes: FailureCode[]): Promise<string> => {
  const before = await stock();
  const answer = await askOnce(service.port, request);
  const code = codes.find((each) => each === answer.body?.code) ?? (codes[0] as FailureCode);
  expectError(answer, code, FAILURES[code].status);
  expectSharedHeaders(answer);
  expect(await stock()).toEqual(before);
  return answer.body.message;
};

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

const pet = (name: string | Uint8Array) => bytesOf('{"name":"', name, '","categoryId":1}');

describe('a body that is not valid UTF-8', () => {
  const bodies: [string, Uint8Array][] = [
    ['a byte that is never UTF-8', pet(Uint8Array.of(0xff))],
    ['an overlong form', pet(Uint8Array.of(0xc0, 0x80))],
    ['a truncated character', pet(Uint8Array.of(0xe2, 0x82))],
    ['an encoded surrogate', pet(Uint8Array.of(0xed, 0xa0, 0x80))],
    ['a code point beyond U+10FFFF', pet(Uint8Array.of(0xf4, 0x90, 0x80, 0x80))],
    ['invalid UTF-8 in an unknown field', bytesOf('{"name":"a","categoryId":1,"x":"', [0xff] as never, '"}')],
    ['UTF-16', Buffer.from('\ufeff{"name":"a","categoryId":1}', 'utf16le')],
    ['gzip without a Content-Encoding header', gzipSync('{"name":"a","categoryId":1}')],
  ];
  test.each(bodies)('is refused: %s', async (_, body) => {
    await expectRefused(post(body), 'invalid_json');
  });
});

describe('a body that is not JSON', () => {
  const bodies: [string, string][] = [
    ['white space only', ' \n'],
    ['a NUL byte in a string', '{"name":"a\0b","categoryId":1}'],
    ['a NUL byte after the object', '{"name":"a","categoryId":1}\0'],
    ['a line feed in a string', '{"name":"a\nb","categoryId":1}'],
    ['two values', '{"name":"a","categoryId":1}{}'],
    ['a trailing comma', '{"name":"a","categoryId":1,}'],
    ['a comment', '{"name":"a","categoryId":1/**/}'],
    ['single quotes', "{'name':'a','categoryId':1}"],
    ['NaN', '{"name":"a","categoryId":NaN}'],
    ['Infinity', '{"name":"a","categoryId":Infinity}'],
    ['a leading zero', '{"name":"a","categoryId":01}'],
    ['a leading plus', '{"name":"a","categoryId":+1}'],
    ['a bare fraction', '{"name":"a","categoryId":1.}'],
    ['hexadecimal', '{"name":"a","categoryId":0x1}'],
    ['a bigint literal', '{"name":"a","categoryId":1n}'],
    ['an unknown escape', '{"name":"\\x41","categoryId":1}'],
    ['60,000 open brackets', '['.repeat(60_000)],
  ];
  test.each(bodies)('is refused: %s', async (_, body) => {
    await expectRefused(post(body), 'invalid_json');
  });
});

describe('a body that is JSON but not an object', () => {
  test.each(['[]', '[{"name":"a","categoryId":1}]', '"name"', '7', 'null', 'true'])('is refused: %s', async (body) => {
    expect(await expectRefused(post(body), 'invalid_request')).toBe('body: must be a JSON object');
    await expectRefused(post(body, JSON_TYPE, '/v1/keys'), 'invalid_request');
  });

  test('is refused when it is empty', async () => {
    await expectRefused(post(''), 'invalid_request');
    await expectRefused(`POST /v1/pets HTTP/1.1\r\n${HEAD}\r\n`, 'invalid_request');
    const chunked = `POST /v1/pets HTTP/1.1\r\n${HEAD}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    await expectRefused(chunked, 'invalid_request');
  });
});

describe('a number that is not an int64', () => {
  const numbers = [
    ...['9223372036854775808', '-9223372036854775809', '1e19', '1e400', '-1e400', '9'.repeat(40)],
    ...['0.5', '1e-1', '9007199254740993.0', '9.007199254740993e15', '1e17'],
    // These numbers are not integers, but rounding them to a double makes them integers.
    ...['1e-400', '-1e-400', '9007199254740991.4', '1234567.0000000001', '1.00000000000000000001'],
  ];
  test.each(numbers.map((number) => [short(number), number]))('is refused: %s', async (_, number) => {
    const message = await expectRefused(post(`{"name":"a","categoryId":${number}}`), 'invalid_request');
    expect(message).toStartWith('categoryId: ');
  });
});

describe('a body that would be costly to parse', () => {
  const pad = (item: string) =>
    Array(Math.floor(65_000 / (item.length + 1)))
      .fill(item)
      .join(',');
  const bodies: [string, string][] = [
    ['32,000 numbers', `[${pad('1')}]`],
    ['32,000 numbers in an unknown field', `{"name":"a","categoryId":1,"x":[${pad('1')}]}`],
    ['a thousand keys', `{${Array.from({ length: 1000 }, (_, index) => `"k${index}":1`).join(',')}}`],
    ['one key repeated', `{"name":"a","categoryId":1,${pad('"k":1')}}`],
    ['__proto__ repeated', `{"name":"a","categoryId":1,${pad('"__proto__":{}')}}`],
    ['empty lists', `{"name":"a","categoryId":1,"x":[${pad('[]')}]}`],
    ['long numbers', `{"name":"a","categoryId":1,"x":[${pad('1234567890123456789')}]}`],
    ['60,000 digits', `{"name":"a","categoryId":${'9'.repeat(60_000)}}`],
    ['60,000 digits of a fraction', `{"name":"a","categoryId":1,"x":1.${'0'.repeat(60_000)}}`],
    ['32,000 escapes', `{"name":"a","categoryId":1,"x":"${'\\n'.repeat(32_000)}"}`],
  ];
  test.each(bodies)('is refused with a message that explains what to change: %s', async (_, body) => {
    expect(await expectRefused(post(body), 'invalid_json')).toMatch(/^The body (contains|is) .+: send at most .+\.$/);
  });

  test('is accepted when its size comes from one long text', async () => {
    const { status } = await service.post('/v1/pets', `{"name":"a","categoryId":1,"x":"${'a'.repeat(65_000)}"}`);
    expect(status).toBe(201);
  });

  test('is refused with a short message, however many fields are wrong', async () => {
    const long = 'x'.repeat(10_000);
    const key = { name: long, plan: long, limits: { perMinute: long }, scopes: Array(60).fill('y'), expiresAt: long };
    const webhook = { url: long, events: Array(60).fill('pet.created') };
    const refuse = (body: object, path: string) =>
      expectRefused(post(JSON.stringify(body), JSON_TYPE, path), 'invalid_request');
    const response = (await refuse(key, '/v1/keys')).split('; ');
    const fields = ['name', 'plan', 'limits.perMinute', 'limits.perDay', 'scopes', 'expiresAt'];
    expect(response.map((words) => words.split(':')[0])).toEqual(fields);
    expect(response.join().length).toBeLessThan(500);
    expect(await refuse(webhook, '/v1/webhooks')).toBe(
      `url: must be at most 2048 characters long; events: must have at most ${EVENT_TYPES.length} event types`,
    );
  });
});

describe('a name that is not valid text', () => {
  const names = ['a\\u0000b', '\\u0000', '\\ud800', 'a\\udc00', '\\udc00\\ud800', '\\ud83d\\ud83d'];
  test.each(names)('is refused: "%s"', async (name) => {
    expect(await expectRefused(post(pet(name)), 'invalid_request')).toStartWith('name: ');
    const key = `{"name":"${name}","plan":"free"}`;
    expect(await expectRefused(post(key, JSON_TYPE, '/v1/keys'), 'invalid_request')).toStartWith('name: ');
  });
});

describe('deep nesting', () => {
  const nest = (depth: number, inner = '1') => '['.repeat(depth) + inner + ']'.repeat(depth);
  const nestObjects = (depth: number, inner: string) => '{"a":'.repeat(depth) + inner + '}'.repeat(depth);
  const LONG = '12345678901234567890';

  test('is refused 5,000 levels deep as the whole body', async () => {
    await expectRefused(post(nest(5_000)), 'invalid_request', 'invalid_json');
  });

  test('is refused 5,000 levels deep as a field', async () => {
    await expectRefused(post(`{"name":${nest(5_000)},"categoryId":1}`), 'invalid_request', 'invalid_json');
    await expectRefused(
      post(`{"name":"a","categoryId":${nestObjects(5_000, '1')}}`),
      'invalid_request',
      'invalid_json',
    );
  });

  test('is refused 5,000 levels deep even in an unknown field, with or without long numbers', async () => {
    await expectRefused(post(`{"name":"a","categoryId":1,"x":${nest(5_000)}}`), 'invalid_json');
    await expectRefused(post(`{"name":"a","categoryId":1,"x":${nest(5_000, LONG)}}`), 'invalid_json');
  });

  test('is refused 30,000 levels deep with a number too long for a double', async () => {
    await expectRefused(post(nest(30_000, LONG)), 'invalid_json');
    await expectRefused(post(nestObjects(10_000, LONG)), 'invalid_json');
  });

  test('is ignored 20 levels deep in an unknown field', async () => {
    const { status } = await service.post('/v1/pets', `{"name":"a","categoryId":1,"x":${nest(20, LONG)}}`);
    expect(status).toBe(201);
  });
});

describe('fields with a special meaning in JavaScript', () => {
  const bodies = [
    '{"__proto__":{"name":"evil","categoryId":1}}',
    '{"__proto__":{"name":"evil","categoryId":12345678901234567890}}',
    '{"constructor":{"prototype":{"name":"evil","categoryId":1}}}',
    '{"toString":"x","valueOf":1,"hasOwnProperty":true}',
  ];
  test.each(bodies)('set no field of a pet: %s', async (body) => {
    expect(await expectRefused(post(body), 'invalid_request')).toBe('name: is required; categoryId: is required');
  });

  test('change neither their own pet nor the next one', async () => {
    const evil = '{"__proto__":{"status":"sold"},"constructor":{"status":"sold"},"name":"a","categoryId":1}';
    expect((await service.post('/v1/pets', evil)).body.status).toBe('available');
    expect((await service.post('/v1/pets', { name: 'b', categoryId: 1 })).body.status).toBe('available');
    expect(({} as { status?: string }).status).toBeUndefined();
  });

  test.each(['toString', 'constructor', '__proto__'])('are not valid as a plan or status: %s', async (word) => {
    const key = `{"name":"a","plan":"${word}"}`;
    expect(await expectRefused(post(key, JSON_TYPE, '/v1/keys'), 'invalid_request')).toStartWith('plan: ');
    await expectRefused(post(`{"name":"a","categoryId":1,"status":"${word}"}`), 'invalid_request');
  });
});

describe('a field given twice', () => {
  test('has its last value', async () => {
    await expectRefused(post('{"name":"a","categoryId":1,"name":""}'), 'invalid_request');
    expect((await service.post('/v1/pets', '{"name":"","name":"last","categoryId":1}')).body.name).toBe('last');
  });
});

describe('the content type and encoding of a body', () => {
  const good = '{"name":"a","categoryId":1}';
  const headers = [
    `${JSON_TYPE}Content-Encoding: gzip\r\n`,
    `${JSON_TYPE}Content-Encoding: gzip, identity\r\n`,
    `${JSON_TYPE}Content-Encoding: br\r\n`,
    'Content-Type: application/json; charset=utf-16\r\n',
    'Content-Type: application/json; charset=latin1\r\n',
    'Content-Type: text/json\r\n',
    `${JSON_TYPE}Content-Type: text/plain\r\n`,
    '',
  ];
  test.each(headers)('are refused: %j', async (sent) => {
    await expectRefused(post(good, sent), 'unsupported_media_type');
    await expectRefused(post(gzipSync(good), sent), 'unsupported_media_type');
  });

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('are accepted: %s', async (type) => {
    expect((await askOnce(service.port, post(good, `Content-Type: ${type}\r\n`))).status).toBe(201);
  });
});

describe('a response sent before the body is read', () => {
  const large = Buffer.alloc(2 * 1024 * 1024, 'y');
  const refusals: [number, string, string][] = [
    [401, 'POST /v1/pets', 'Host: localhost\r\n'],
    [404, 'POST /v1/nothing', HEAD],
    [405, 'PUT /v1/pets', HEAD],
    [413, 'POST /v1/pets', `${HEAD}${JSON_TYPE}`],
    [415, 'POST /v1/pets', `${HEAD}Content-Type: text/plain\r\n`],
    [200, 'GET /v1/pets', HEAD],
  ];
  test.each(refusals)(
    'with status %p to %s keeps the connection open for the next request',
    async (status, start, headers) => {
      const connection = openConnection(service.port);
      const request = bytesOf(`${start} HTTP/1.1\r\n${headers}Content-Length: ${large.length}\r\n\r\n`, large);
      expect((await connection.ask(request)).status).toBe(status);
      const next = await connection.ask(`GET /v1/pets?limit=1 HTTP/1.1\r\n${HEAD}\r\n`);
      expect([next.status, next.body.length]).toEqual([200, 1]);
      connection.close();
    },
  );
});

describe('a query string', () => {
  const queries: [string, FailureCode][] = [
    ['limit=1&limit=2', 'invalid_parameter'],
    ['limit=1&%6Cimit=1', 'invalid_parameter'],
    ['ids=1&ids=', 'invalid_parameter'],
    [`${'ids=1&'.repeat(100)}ids=1`, 'invalid_parameter'],
    ['status=sold&status=sold', 'invalid_parameter'],
    ['limit', 'invalid_parameter'],
    ['limit=', 'invalid_parameter'],
    ['limit=+5', 'invalid_parameter'],
    ['limit=5%00', 'invalid_parameter'],
    ['limit=%EF%BC%95', 'invalid_parameter'],
    [`limit=${'9'.repeat(10_000)}`, 'invalid_parameter'],
    [`categoryId=${'9'.repeat(10_000)}`, 'invalid_parameter'],
    [`ids=${'1,'.repeat(100)}1`, 'invalid_parameter'],
    ['ids=1,,2', 'invalid_parameter'],
    ['ids=1;2', 'invalid_parameter'],
    ['ids=1%00', 'invalid_parameter'],
    ['status=Available', 'invalid_parameter'],
    ['status=%C0%80', 'invalid_parameter'],
    ['name=', 'invalid_parameter'],
    ['name=a%00', 'invalid_parameter'],
    ['name=%ED%A0%80', 'invalid_parameter'],
    [`name=${'a'.repeat(10_000)}`, 'invalid_parameter'],
    ['sort=%00', 'invalid_parameter'],
    [`cursor=${'A'.repeat(10_000)}`, 'invalid_cursor'],
    ['cursor=', 'invalid_cursor'],
    ['cursor=%00', 'invalid_cursor'],
    ['cursor=__proto__', 'invalid_cursor'],
  ];
  test.each(queries.map(([query, code]) => [short(query), query, code] as const))(
    'is refused: %s',
    async (_, query, code) => {
      await expectRefused(`GET /v1/pets?${query} HTTP/1.1\r\n${HEAD}\r\n`, code);
    },
  );

  test('may contain 14,000 characters of unknown parameters', async () => {
    for (const query of [`x=${'y'.repeat(14_000)}`, 'a&'.repeat(7_000)]) {
      const { status } = await askOnce(service.port, `GET /v1/pets?${query} HTTP/1.1\r\n${HEAD}\r\n`);
      expect(status).toBe(200);
    }
  });
});
