import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { ADMIN_KEY, type Service, startService } from './service.ts';
import { countStoredRows } from './stored-rows.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const HEAD = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ADMIN_KEY}\r\nContent-Type: application/json\r\n`;
const BODY = '{"name":"Rex","categoryId":1}';
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n`;
const NEXT = `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ADMIN_KEY}\r\n\r\n`;

const send = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(service.port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });

const unanswered: [string, string][] = [
  ['a chunked body with a trailer', `${CHUNKED}0\r\nX-A: b\r\n\r\n`],
  ['a chunked body without its final line', `${CHUNKED}0\r\nGET`],
  ['a request with another one pipelined after it', `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}${NEXT}`],
];

describe('a request without a response', () => {
  test.each(unanswered)('is not stored: %s', async (_, text) => {
    const before = await countStoredRows(service);
    const received = await send(text);
    expect(received).not.toContain('201 Created');
    expect(await countStoredRows(service)).toEqual(before);
  });

  test('is not stored: an MCP tool call with a request pipelined after it', async () => {
    const Accept = 'application/json, text/event-stream';
    const params = { name: 'createPet', arguments: JSON.parse(BODY) };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const call = () => service.call('POST', '/mcp', { body, headers: { Accept } });
    const countPets = async () => (await service.get('/v1/pets?limit=100')).body.length;
    await call();
    const before = await countPets();
    const head = HEAD.replace('/v1/pets', '/mcp');
    await send(`${head}Accept: ${Accept}\r\nContent-Length: ${body.length}\r\n\r\n${body}${NEXT}`);
    // This call waits in the same queue as the earlier call. Once this call is answered, the earlier call can no longer
    // store anything.
    await call();
    expect(await countPets()).toBe(before + 1);
  });

  test('differs from an answered request, which is stored', async () => {
    const before = await countStoredRows(service);
    const answered = await service.post('/v1/pets', BODY);
    expect(answered.status).toBe(201);
    expect(await countStoredRows(service)).not.toEqual(before);
  });
});
