import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { connect } from 'node:net';
import type { Log } from '../src/kernel/log.ts';
import { ADMIN_KEY, type Service, startService } from './service.ts';
import { countStoredRows } from './stored-rows.ts';

type Line = { event: string; status?: number };

let lines: Line[];
let isLogged: PromiseWithResolvers<void>;
const write = (event: string, fields: object | string = {}) => {
  lines.push({ event, ...(typeof fields === 'string' ? JSON.parse(`{${fields}}`) : fields) });
  if (event === 'request') isLogged.resolve();
};
const log: Log = { error: write, warn: write, info: write, flush: async () => undefined };

let service: Service;
beforeAll(async () => {
  service = await startService({ log });
});
beforeEach(() => {
  lines = [];
  isLogged = Promise.withResolvers();
});
afterAll(() => service.stop());

const PET = '{"name":"cut short","categoryId":1}';
const size = (length: number) => `${length.toString(16)}\r\n`;
const uploads: [string, string, string][] = [
  ['before its full length', 'Content-Length: 100', PET],
  ['before its last chunk', 'Transfer-Encoding: chunked', `${size(PET.length)}${PET}\r\n`],
  ['in the middle of a chunk', 'Transfer-Encoding: chunked', `${size(100)}${PET}`],
];

test.each(uploads)(
  'an upload cut off %s stores nothing and is not logged as a server error',
  async (_, framing, sent) => {
    const rows = await countStoredRows(service);
    const socket = connect(service.port, '127.0.0.1');
    const headers = `Host: a\r\nAuthorization: Bearer ${ADMIN_KEY}\r\nContent-Type: application/json\r\n${framing}`;
    socket.write(`POST /v1/pets HTTP/1.1\r\n${headers}\r\n\r\n${sent}`, () => socket.end());
    await isLogged.promise;
    socket.destroy();
    expect(await countStoredRows(service)).toEqual(rows);
    expect(lines.filter(({ event }) => event !== 'request')).toEqual([]);
    expect(lines.map(({ status }) => status)).toEqual([expect.any(Number)]);
    expect(lines[0]?.status).toBeLessThan(500);
  },
);
