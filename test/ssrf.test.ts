import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { createSend } from '../src/delivery/send.ts';
import { lacks } from './needs.ts';
import { freePort } from './servers/server-process.ts';

const NAME = 'hooks.example.test';
const NO_ADDRESS = 'not reached: the host name does not resolve to an address that webhooks may call';
const message = { headers: {}, body: '{}' };
const stops: (() => unknown)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

const countConnections = (hostname: string, port = 0) => {
  const seen = { connections: 0, port: 0 };
  const server = Bun.listen({
    hostname,
    port,
    socket: {
      open: () => {
        seen.connections += 1;
      },
      data: (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    },
  });
  stops.push(() => server.stop(true));
  seen.port = server.port;
  return seen;
};

describe('a name that resolves to a private address', () => {
  const answers: [string, string[]][] = [
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['IPv4-mapped loopback', ['::ffff:127.0.0.1']],
    ['unspecified', ['0.0.0.0']],
    ['link-local with a zone', ['fe80::1%lo']],
    ['a mix of public and private', ['8.8.8.8', '127.0.0.1']],
    ['a mix of private and public', ['127.0.0.1', '8.8.8.8']],
    ['a mix of IPv4 and IPv6', ['8.8.8.8', '2606:4700:4700::1111', '::1']],
    ['not an address', ['localhost']],
  ];
  test.each(answers)('is not called when the answer is %s', async (_, addresses) => {
    const inside = countConnections('0.0.0.0');
    const send = createSend({ allowPrivate: false, resolve: async () => addresses });
    const outcome = await send({ ...message, url: `https://${NAME}:${inside.port}/` });
    expect(outcome).toMatchObject({
      isDelivered: false,
      responseStatus: null,
      responseBody: NO_ADDRESS,
    });
    expect(inside.connections).toBe(0);
  });

  test.each(['127.0.0.1', '2130706433', '0177.1', '0x7f.1', '127.0.0.1.', '[::ffff:127.0.0.1]', '0'])(
    'is not called when it is the literal %s, even if that was stored',
    async (host) => {
      const inside = countConnections('0.0.0.0');
      const send = createSend({ allowPrivate: false });
      const { responseBody } = await send({ ...message, url: `https://${host}:${inside.port}/` });
      expect(responseBody).toBe(NO_ADDRESS);
      expect(inside.connections).toBe(0);
    },
  );

  test('is not called over plain http, and neither is a public one', async () => {
    const send = createSend({ allowPrivate: false, resolve: async () => ['8.8.8.8'] });
    const { responseBody } = await send({ ...message, url: `http://${NAME}/` });
    expect(responseBody).toBe('not reached: webhooks are sent over https only');
  });
});

describe('a name with several addresses', () => {
  test('is called at only one address, once that has accepted the connection', async () => {
    const socket = { data: (taken: { end(): unknown }) => void taken.end() };
    const port = await freePort();
    const first = Bun.listen({ hostname: '127.0.0.2', port, socket });
    stops.push(() => first.stop(true));
    const second = countConnections('127.0.0.3', port);
    const send = createSend({ allowPrivate: true, resolve: async () => ['127.0.0.2', '127.0.0.3'] });
    const { responseBody } = await send({ ...message, url: `http://${NAME}:${port}/` });
    expect(responseBody).toStartWith('not reached: ');
    expect(second.connections).toBe(0);
  });
});

describe('a name that resolves differently each time', () => {
  test('is looked up once, and called at the address that was checked', async () => {
    const port = await freePort();
    const checked = countConnections('127.0.0.2', port);
    const changed = countConnections('127.0.0.3', port);
    // The system resolves `localhost` to 127.0.0.1. A connection to this address would mean that the service had not
    // used the address from `resolve`.
    const looked = countConnections('127.0.0.1', port);
    const lookups: string[] = [];
    const resolve = async (host: string) => {
      lookups.push(host);
      return lookups.length === 1 ? ['127.0.0.2'] : ['127.0.0.3'];
    };
    const outcome = await createSend({ allowPrivate: true, resolve })({
      ...message,
      url: `http://localhost:${port}/`,
    });
    expect(outcome.responseStatus).toBe(200);
    expect(lookups).toEqual(['localhost']);
    expect([checked, changed, looked].map(({ connections }) => connections)).toEqual([1, 0, 0]);
  });

  test('is not looked up again when the address cannot be called', async () => {
    const inside = countConnections('127.0.0.1');
    const send = createSend({ allowPrivate: true, resolve: async () => ['fe80::1%nowhere'] });
    const { responseBody } = await send({ ...message, url: `http://localhost:${inside.port}/` });
    expect(responseBody).toBe(NO_ADDRESS);
    expect(inside.connections).toBe(0);
  });
});

describe.skipIf(lacks('openssl'))('the certificate of a receiver', () => {
  let directory: string;
  const file = (name: string) => join(directory, name);
  const read = (name: string) => readFileSync(file(name), 'utf8');

  const openssl = async (...words: string[]) => {
    const child = Bun.spawn(['openssl', ...words], { cwd: directory, stdout: 'ignore', stderr: 'pipe' });
    const [code, errors] = await Promise.all([child.exited, new Response(child.stderr).text()]);
    if (code !== 0) throw new Error(errors);
  };
  const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

  const certify = async (id: string, subject: string) => {
    writeFileSync(file(`${id}.ext`), `subjectAltName=${subject}\nbasicConstraints=CA:FALSE\n`);
    await openssl('req', ...KEY, '-keyout', `${id}.key`, '-out', `${id}.csr`, '-subj', '/CN=receiver');
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
    await openssl('x509', '-req', '-in', `${id}.csr`, ...by, '-extfile', `${id}.ext`, '-out', `${id}.pem`);
  };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'petstore-tls-'));
    const selfSigned = (id: string, ...more: string[]) =>
      openssl('req', '-x509', ...KEY, '-keyout', `${id}.key`, '-out', `${id}.pem`, '-days', '2', ...more);
    await selfSigned('ca', '-subj', '/CN=authority');
    await selfSigned('alone', '-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`);
    await certify('named', `DNS:${NAME}`);
    await certify('other', 'DNS:other.example.test');
    await certify('numbered', 'IP:127.0.0.1');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const receive = async (id: string) => {
    const seen: unknown[] = [];
    const server = createServer({ key: read(`${id}.key`), cert: read(`${id}.pem`) }, (request, answer) => {
      seen.push({
        sni: (request.socket as TLSSocket & { servername: unknown }).servername,
        host: request.headers.host,
      });
      answer.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => server.close());
    return { seen, port: (server.address() as AddressInfo).port };
  };
  const resolve = async () => ['127.0.0.1'];

  test('is checked against the name, while the connection goes to the address', async () => {
    const { seen, port } = await receive('named');
    const send = createSend({ allowPrivate: true, resolve, ca: read('ca.pem') });
    expect(await send({ ...message, url: `https://${NAME}:${port}/` })).toMatchObject({
      isDelivered: true,
      responseBody: 'ok',
    });
    expect(await send({ ...message, url: `https://${NAME}.:${port}/` })).toMatchObject({ isDelivered: true });
    expect(seen).toEqual([
      { sni: NAME, host: `${NAME}:${port}` },
      { sni: NAME, host: `${NAME}.:${port}` },
    ]);
  });

  test.each(['other', 'numbered'])('is refused when it is for another name or address (%s)', async (id) => {
    const { seen, port } = await receive(id);
    const send = createSend({ allowPrivate: true, resolve, ca: read('ca.pem') });
    expect(await send({ ...message, url: `https://${NAME}:${port}/` })).toMatchObject({
      isDelivered: false,
      responseStatus: null,
      responseBody: 'not reached: ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(seen).toEqual([]);
  });

  const untrusted: [string, string][] = [
    ['alone', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['named', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ];
  test.each(untrusted)('is refused when no trusted authority signed it (%s)', async (id, code) => {
    const { seen, port } = await receive(id);
    const send = createSend({ allowPrivate: true, resolve });
    expect(await send({ ...message, url: `https://${NAME}:${port}/` })).toMatchObject({
      isDelivered: false,
      responseStatus: null,
      responseBody: `not reached: ${code}`,
    });
    expect(seen).toEqual([]);
  });

  test('may be for an address when the URL names the address', async () => {
    const send = createSend({ allowPrivate: true, ca: read('ca.pem') });
    const good = await receive('numbered');
    expect(await send({ ...message, url: `https://127.0.0.1:${good.port}/` })).toMatchObject({ isDelivered: true });
    const bad = await receive('named');
    expect(await send({ ...message, url: `https://127.0.0.1:${bad.port}/` })).toMatchObject({ isDelivered: false });
  });
});
