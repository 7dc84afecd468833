import { describe, expect, test } from 'bun:test';
import { createPetContract } from '../../resources/pets/pets.contracts.ts';
import { fingerprint, readIdempotencyKey } from './idempotency-key.ts';
import { readOnce } from './read-input.ts';

const VISIBLE = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join('');

describe('readIdempotencyKey', () => {
  const read: [string, string][] = [
    ['a', 'a'],
    ['"a"', 'a'],
    ['x'.repeat(255), 'x'.repeat(255)],
    [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
    [VISIBLE, VISIBLE],
    ["'a'", "'a'"],
    ['a"b', 'a"b'],
    ['  a  ', 'a'],
  ];
  test.each(read)('reads %s as %s', (header, key) => {
    expect(readIdempotencyKey(header)).toBe(key);
  });

  test('returns no key if there is no header', async () => {
    const request = new Request('http://petstore.test/v1/pets', { method: 'POST' });
    const incoming = { request, params: {}, path: '/v1/pets', queryText: '' };
    expect(await readOnce(createPetContract, incoming, undefined)).toBeUndefined();
  });

  const refused = ['', ' ', '"', '""', '" "', '"a', '"a"b"', 'a b', '"a b"', 'a\tb', 'a\x7fb', 'é', '"é"', 'a, b'];
  test.each([...refused, 'x'.repeat(256), `"${'x'.repeat(256)}"`])('refuses %j', (header) => {
    const message = 'Idempotency-Key: must be 1 to 255 visible ASCII characters';
    expect(() => readIdempotencyKey(header)).toThrow(expect.objectContaining({ code: 'invalid_request', message }));
  });
});

describe('fingerprint', () => {
  type Sent = { method?: string; path?: string; queryText?: string; body?: string };
  const print = async ({ method = 'POST', path = '/v1/pets', queryText = '', body }: Sent, taken = true) => {
    const bytes = taken && body !== undefined ? new TextEncoder().encode(body) : undefined;
    const request = new Request('http://localhost', { method, ...(taken || body === undefined ? {} : { body }) });
    return Buffer.from(await fingerprint({ request, path, queryText }, bytes)).toString('hex');
  };

  test('is the same for the same request, whether the body has been read or not', async () => {
    const sent = { body: '{"name":"Rex"}' };
    expect(await print(sent)).toBe(await print(sent));
    expect(await print(sent, false)).toBe(await print(sent));
  });

  const one = { path: '/v1/a', queryText: 'b', body: 'c' };
  const others: [string, Sent][] = [
    ['method', { ...one, method: 'PUT' }],
    ['path', { ...one, path: '/v1/A' }],
    ['query', { ...one, queryText: 'b&' }],
    ['body', { ...one, body: 'c ' }],
    ['presence of a body', { path: '/v1/a', queryText: 'b' }],
    ['position of the same letters', { path: '/v1/ab', queryText: '', body: 'c' }],
  ];
  test.each(others)('differs with the %s', async (_, other) => {
    expect(await print(other)).not.toBe(await print(one));
    expect(await print(other, false)).not.toBe(await print(one, false));
  });

  const MOST = 64 * 1024;
  const printUnread = async (pieces: (string | Error)[], toldLength?: number) => {
    const body = new ReadableStream({
      pull: (controller) => {
        const piece = pieces.shift();
        if (piece instanceof Error) controller.error(piece);
        else if (piece === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(piece));
      },
    });
    const headers = toldLength === undefined ? {} : { 'content-length': String(toldLength) };
    const arrayBuffer = () => new Response(body).arrayBuffer();
    const request = { method: 'POST', body, bodyUsed: false, headers: new Headers(headers), arrayBuffer } as Request;
    return fingerprint({ request, path: '/v1/pets', queryText: '' }, undefined);
  };
  const tooLarge = expect.objectContaining({ code: 'payload_too_large' });

  test('covers a body up to the largest limit, in any number of chunks, and refuses a longer one', async () => {
    expect(await printUnread(['a', 'b'.repeat(MOST - 1)])).toBeInstanceOf(Uint8Array);
    await expect(printUnread(['a', 'b'.repeat(MOST)])).rejects.toEqual(tooLarge);
  });

  test('is not computed if the declared length is too long', async () => {
    expect(await printUnread(['a'], MOST)).toBeInstanceOf(Uint8Array);
    await expect(printUnread(['a'], MOST + 1)).rejects.toEqual(tooLarge);
  });

  test('of a body that ends early fails with a client error', async () => {
    const ended = expect.objectContaining({
      code: 'invalid_request',
      message: 'The connection closed before the body was complete.',
    });
    await expect(printUnread(['a', new Error('the connection is gone')])).rejects.toEqual(ended);
  });
});
