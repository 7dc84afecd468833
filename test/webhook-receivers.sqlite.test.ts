import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { signTestDelivery } from '../client/src/index.ts';
import { readDocument } from './documents.ts';
import { type Command, runCommand } from './generated-clients/run-command.ts';
import { findFlask, lacks, type Need } from './needs.ts';
import { createWorkbench, type Program } from './program.ts';
import { type Service, startService } from './service.ts';
import { waitFor } from './wait-for.ts';

const PAGE = 'docs/guides/webhooks.md';
const TSC = join(import.meta.dir, '..', 'node_modules', '.bin', 'tsc');
const TYPES = join(import.meta.dir, '..', 'node_modules', '@types');

const sample = (language: string, index = 0): string => {
  const blocks = [...readDocument(PAGE).matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
  const code = blocks[index]?.[1];
  if (!code) throw new Error(`${PAGE} has no ${language} block ${index}`);
  return code;
};

type Receiver = { name: string; needs: readonly Need[]; make: (directory: string) => Promise<Command> };

const write = (directory: string, files: Record<string, string>): void => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
};

const RECEIVERS: Receiver[] = [
  {
    name: 'TypeScript with node:http, compiled in strict mode',
    needs: [],
    async make(directory) {
      write(directory, { 'receiver.mts': sample('ts') });
      const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
      const target = ['--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--typeRoots', TYPES];
      await runCommand({ words: [TSC, ...strict, ...target, 'receiver.mts'], directory });
      return { words: ['node', 'receiver.mjs'], directory };
    },
  },
  {
    name: 'Python with http.server',
    needs: ['Python'],
    async make(directory) {
      write(directory, { 'receiver.py': sample('python') });
      return { words: ['python3', '-B', 'receiver.py'], directory };
    },
  },
  {
    name: 'Python with Flask',
    needs: ['Python', 'Flask'],
    async make(directory) {
      write(directory, { 'receiver.py': sample('python'), 'app.py': sample('python', 1) });
      return { words: [findFlask() ?? 'python3', '-B', '-m', 'flask', 'run', '--port', '0'], directory };
    },
  },
  {
    name: 'Go with net/http',
    needs: ['Go'],
    async make(directory) {
      write(directory, { 'go.mod': 'module example\n\ngo 1.19\n', 'main.go': sample('go') });
      const environment = { GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '-buildvcs=false' };
      await runCommand({ words: ['go', 'vet', '.'], directory, environment });
      await runCommand({ words: ['go', 'build', '-o', 'receiver', '.'], directory, environment });
      return { words: ['./receiver'], directory };
    },
  },
];

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const EVENT = { id: 'evt_1', type: 'pet.created', data: { object: { name: 'Zoë 🐕' } } };
const nowSeconds = () => Math.floor(Date.now() / 1000);

type Delivery = { headers: Record<string, string>; body: Uint8Array };

const sign = (secret: string, body: string | Uint8Array, timestamp: string | number = nowSeconds()): Delivery => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const hmac = createHmac('sha256', key).update(`evt_1.${timestamp}.`).update(body).digest('base64');
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${hmac}` };
  return { headers, body: Buffer.from(body as string) };
};

const TEXT = JSON.stringify(EVENT);
const INVALID_UTF8 = Buffer.from('{"id":"evt_1","type":"\xff\xfe"}', 'latin1');

const without = (name: string, { headers: { [name]: _, ...headers }, body }: Delivery): Delivery => ({ headers, body });
const withHeader = (name: string, change: (value: string) => string, { headers, body }: Delivery): Delivery => ({
  headers: { ...headers, [name]: change(headers[name] ?? '') },
  body,
});

/** Each delivery is signed just before it is sent, because receivers reject old signatures. */
const CASES: [string, number, (secret: string) => Delivery | Promise<Delivery>][] = [
  [
    'signed by the client',
    204,
    async (secret) => {
      const { headers, body } = await signTestDelivery(EVENT, secret);
      return { headers, body: Buffer.from(body) };
    },
  ],
  [
    'with its signature between two others',
    204,
    (secret) => {
      const other = sign(OTHER_SECRET, TEXT).headers['webhook-signature'];
      return withHeader('webhook-signature', (own) => `${other} ${own} v1a,AAAA`, sign(secret, TEXT));
    },
  ],
  ['a minute old', 204, (secret) => sign(secret, TEXT, nowSeconds() - 60)],
  ['with no headers', 400, () => ({ headers: {}, body: Buffer.from(TEXT) })],
  ['without an id', 400, (secret) => without('webhook-id', sign(secret, TEXT))],
  ['without a timestamp', 400, (secret) => without('webhook-timestamp', sign(secret, TEXT))],
  ['without a signature', 400, (secret) => without('webhook-signature', sign(secret, TEXT))],
  ['with another id', 400, (secret) => withHeader('webhook-id', () => 'evt_2', sign(secret, TEXT))],
  ['with another timestamp', 400, (secret) => withHeader('webhook-timestamp', (it) => `${it}0`, sign(secret, TEXT))],
  ['with an empty signature', 400, (secret) => withHeader('webhook-signature', () => '', sign(secret, TEXT))],
  [
    'with half a signature',
    400,
    (secret) => withHeader('webhook-signature', (it) => it.slice(0, 20), sign(secret, TEXT)),
  ],
  [
    'with a signature that is not base64',
    400,
    (secret) => withHeader('webhook-signature', () => 'v1,%%%', sign(secret, TEXT)),
  ],
  ['with no comma in its signature', 400, (secret) => withHeader('webhook-signature', () => 'v1', sign(secret, TEXT))],
  [
    'with letters beyond ASCII in all headers',
    400,
    (secret) => ({
      headers: { 'webhook-id': 'é', 'webhook-timestamp': 'ü', 'webhook-signature': 'v1,ÿ' },
      body: sign(secret, TEXT).body,
    }),
  ],
  [
    'of another version',
    400,
    (secret) => withHeader('webhook-signature', (it) => it.replace('v1', 'v2'), sign(secret, TEXT)),
  ],
  ['with signatures by another secret only', 400, () => sign(OTHER_SECRET, TEXT)],
  ['an hour old', 400, (secret) => sign(secret, TEXT, nowSeconds() - 3600)],
  ['an hour ahead', 400, (secret) => sign(secret, TEXT, nowSeconds() + 3600)],
  ['signed with a timestamp that is a word', 400, (secret) => sign(secret, TEXT, 'soon')],
  ['signed with a timestamp of 400 digits', 400, (secret) => sign(secret, TEXT, '9'.repeat(400))],
  ['signed with a timestamp of 5,000 digits', 400, (secret) => sign(secret, TEXT, '9'.repeat(5000))],
  ['with another body', 400, (secret) => ({ ...sign(secret, TEXT), body: Buffer.from(`${TEXT} `) })],
  ['with no body', 400, (secret) => ({ ...sign(secret, TEXT), body: Buffer.alloc(0) })],
  ['with bytes that are not UTF-8', 400, (secret) => ({ ...sign(secret, TEXT), body: INVALID_UTF8 })],
  // A receiver that decodes the body before it verifies the signature would wrongly accept this delivery.
  [
    'with bytes that are not UTF-8 and a signature of the decoded text',
    400,
    (secret) => ({
      ...sign(secret, INVALID_UTF8.toString()),
      body: INVALID_UTF8,
    }),
  ],
  ['signed, with bytes that are not UTF-8', 400, (secret) => sign(secret, INVALID_UTF8)],
  ['signed, with a body that is not JSON', 400, (secret) => sign(secret, '{')],
];

const bench = createWorkbench();
let service: Service;
beforeAll(async () => {
  const clock = Object.assign(() => Date.now(), { advance: () => undefined, set: () => undefined });
  service = await startService({ clock, environment: { PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterAll(async () => {
  await bench.clear();
  await service.stop();
});

const portOf = (program: Program): Promise<string> =>
  waitFor('the receiver listens', () => {
    const said = program.written.out + program.written.err;
    if (program.child.exitCode !== null) throw new Error(`the receiver ended: ${said}`);
    return /(?:listening|Running) on .*?(\d{4,5})\b/.exec(said)?.[1];
  });

const hangUp = (port: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write('POST /hooks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{', () => socket.destroy());
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });

const deliver = async (webhookId: string) => {
  const { body } = await service.post(`/v1/webhooks/${webhookId}/test`, undefined);
  return waitFor(
    'the delivery was attempted',
    async () => (await service.get(`/v1/webhooks/${webhookId}/deliveries`)).body.find(({ id }: any) => id === body.id),
    ({ attemptedAt }) => attemptedAt !== null,
  );
};

describe("the guide's receiver accepts deliveries of the service and refuses all others", () => {
  for (const { name, needs, make } of RECEIVERS) {
    test.skipIf(needs.some(lacks))(`in ${name}`, async () => {
      const made = await service.post('/v1/webhooks', { url: 'http://127.0.0.1:9/hooks' });
      const { id, secret } = made.body as { id: string; secret: string };
      const { words, directory } = await make(bench.directory());
      const receiver = bench.start({ directory, command: words, environment: { WEBHOOK_SECRET: secret } });
      const port = await portOf(receiver);
      const url = `http://127.0.0.1:${port}/hooks`;
      await service.call('PATCH', `/v1/webhooks/${id}`, { body: { url } });

      expect(await deliver(id)).toMatchObject({ state: 'delivered', responseStatus: 204 });
      await service.post(`/v1/webhooks/${id}/rotate-secret`, undefined);
      expect(await deliver(id)).toMatchObject({ state: 'delivered', responseStatus: 204 });

      await hangUp(port);
      const statuses: Record<string, number> = {};
      for (const [what, , sent] of CASES) {
        const { headers, body } = await sent(secret);
        statuses[what] = (await fetch(url, { method: 'POST', headers, body: Buffer.from(body) })).status;
      }
      expect(statuses).toEqual(Object.fromEntries(CASES.map(([what, status]) => [what, status])));
      expect(await deliver(id)).toMatchObject({ state: 'delivered', responseStatus: 204 });

      const received = () => [...receiver.written.out.matchAll(/^received (\S+)/gm)].map(([, type]) => type);
      const accepted = CASES.filter(([, status]) => status === 204).map(() => 'pet.created');
      expect(await waitFor('the last event is printed', received, ({ length }) => length >= 6)).toEqual([
        'webhook.test',
        'webhook.test',
        ...accepted,
        'webhook.test',
      ]);
    });
  }

  test('with a secret that is long enough, or it does not start', async () => {
    const ends: Record<string, number> = {};
    for (const { name, make } of RECEIVERS.filter(({ needs }) => !needs.some(lacks))) {
      const { words, directory } = await make(bench.directory());
      const receiver = bench.start({ directory, command: words, environment: { WEBHOOK_SECRET: 'whsec_c2hvcnQ=' } });
      const { exitCode } = await receiver.ended();
      ends[name] = exitCode;
    }
    expect(Object.keys(ends).length).toBeGreaterThan(0);
    expect(Object.values(ends)).not.toContain(0);
  });
});
